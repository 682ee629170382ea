import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { ChannelHost } from "../channel.ts";
import { programKey } from "../local/asking-program.ts";
import type { AgentPresence } from "../local/local-agents.ts";
import type { LocalClients } from "../local/local-clients.ts";
import type { Visitor } from "../local/local-pairings.ts";
import { LoopbackServer, onceClosed } from "../local/loopback-server.ts";
import { PrivateServer } from "../local/private-server.ts";
import { LOCAL_SOCKET, socketAddress } from "../local/socket-address.ts";
import type { AgentPort } from "./agent-port.ts";
import type { HttpServing } from "./http-serving.ts";
import type { PortClient } from "./inner-port.ts";

export interface McpServersParts {
  readonly dataDir: string;
  readonly version: string;
  readonly clients: LocalClients;
  readonly host: Pick<ChannelHost, "settings" | "report">;
  readonly port: (client: PortClient) => AgentPort;
  readonly presence: Pick<AgentPresence, "came" | "asked">;
}

/** A tenth of a start, and not needed before the first client comes. */
async function loadServing() {
  const [{ serveOverHttp }, { mcpServer }, { servePipe }] = await Promise.all([
    import("./http-serving.ts"),
    import("./mcp-server.ts"),
    import("./serve-pipe.ts"),
  ]);
  return { serveOverHttp, mcpServer, servePipe };
}

type Serving = Awaited<ReturnType<typeof loadServing>>;

/** MCP for programs on this computer: over HTTP on loopback, and as a pipe on the private socket. */
export class McpServers {
  readonly #parts: McpServersParts;
  readonly #loopback: LoopbackServer;
  readonly #private: PrivateServer;
  #serving: Promise<Serving> | undefined;
  /** Over HTTP, by agent, then by the program behind the connection. */
  readonly #served = new Map<string, Map<string, HttpServing>>();
  readonly #pipes = new Set<(agentId: string) => void>();

  constructor(parts: McpServersParts) {
    const { dataDir, host, clients, presence } = parts;
    this.#parts = parts;
    this.#loopback = new LoopbackServer({
      dataDir,
      host,
      clients,
      addressFile: "mcp.url",
      path: "/mcp",
      origin: "own",
      portKept: "mcp_http_port",
      serve: async (agentId, visitor, request, response) => {
        // A stream stays open for as long as the client is there.
        const isStream = request.method === "GET";
        onceClosed(response, isStream ? presence.came(agentId) : presence.asked(agentId));
        const served = this.#servedFor(await this.#loaded(), agentId, visitor);
        await served.serve(request, response);
      },
      end: () => Promise.all([...this.#served.keys()].map((id) => this.#end(id))),
    });
    this.#private = new PrivateServer({
      address: socketAddress(dataDir, LOCAL_SOCKET),
      clients,
      url: () => this.#loopback.url,
      pipe: (visitor, request, socket) =>
        void this.#pipe(visitor, request, socket).catch(host.report),
      report: host.report,
    });
  }

  open(): void {
    this.#private.open();
    void this.#loopback.open().catch(this.#parts.host.report);
  }

  close(): void {
    this.#private.close();
    void this.#loopback.close().catch(this.#parts.host.report);
  }

  /** What the agent may use has changed: its clients that listen are told. */
  changed(agentId: string): void {
    for (const serving of this.#served.get(agentId)?.values() ?? []) serving.changed("tools");
    for (const tell of this.#pipes) tell(agentId);
  }

  forget(agentId: string): void {
    void this.#end(agentId).catch(this.#parts.host.report);
  }

  #loaded(): Promise<Serving> {
    this.#serving ??= loadServing();
    return this.#serving;
  }

  async #pipe(visitor: Visitor, request: IncomingMessage, socket: Socket): Promise<void> {
    const { mcpServer, servePipe } = await this.#loaded();
    if (socket.destroyed) return;
    const { clients, presence, port, version } = this.#parts;
    const said = String(request.headers["consentry-session"] ?? "");
    const session = said.slice(0, LIMITS.callIdChars) || randomUUID();
    const tell = servePipe({ clients, presence, visitor, socket }, (onChanged) =>
      mcpServer(port({ visitor, session, onChanged }), version),
    );
    this.#pipes.add(tell);
    socket.once("close", () => this.#pipes.delete(tell));
  }

  #servedFor(serving: Serving, agentId: string, visitor: Visitor): HttpServing {
    const programs = this.#served.get(agentId) ?? new Map<string, HttpServing>();
    this.#served.set(agentId, programs);
    const key = programKey(visitor.program) ?? "";
    const served = programs.get(key) ?? this.#serve(serving, visitor);
    programs.set(key, served);
    return served;
  }

  #serve({ serveOverHttp, mcpServer }: Serving, visitor: Visitor): HttpServing {
    const { port, version, host } = this.#parts;
    // A client over HTTP has no line of its own: it is told on a stream that it opens.
    const agent = port({ visitor, session: null, onChanged: () => {} });
    return serveOverHttp(() => mcpServer(agent, version), host.report);
  }

  async #end(agentId: string): Promise<void> {
    const programs = [...(this.#served.get(agentId)?.values() ?? [])];
    this.#served.delete(agentId);
    await Promise.all(programs.map((serving) => serving.close()));
  }
}
