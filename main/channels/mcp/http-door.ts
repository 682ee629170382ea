import type { ChannelHost } from "../channel.ts";
import { programKey } from "../local/asking-program.ts";
import type { AgentPresence } from "../local/local-agents.ts";
import type { LocalClients } from "../local/local-clients.ts";
import type { Visitor } from "../local/local-pairings.ts";
import { LoopbackDoor, onceClosed } from "../local/loopback-door.ts";
import type { AgentPort } from "./agent-port.ts";
import type { HttpServing } from "./http-serving.ts";

export interface HttpDoorParts {
  readonly dataDir: string;
  readonly version: string;
  readonly clients: LocalClients;
  readonly host: Pick<ChannelHost, "settings" | "report">;
  readonly port: (visitor: Visitor) => AgentPort;
  readonly presence: Pick<AgentPresence, "came" | "asked">;
}

/** A tenth of a start, which most need only over the other channels: loaded with the first request. */
async function loadServing() {
  const [{ serveOverHttp }, { mcpServer }] = await Promise.all([
    import("./http-serving.ts"),
    import("./mcp-server.ts"),
  ]);
  return { serveOverHttp, mcpServer };
}

type Serving = Awaited<ReturnType<typeof loadServing>>;

/** MCP over HTTP on loopback. */
export class HttpDoor {
  readonly door: LoopbackDoor;
  readonly #parts: HttpDoorParts;
  #serving: Promise<Serving> | undefined;
  /** By agent, then by the program behind the connection. */
  readonly #served = new Map<string, Map<string, HttpServing>>();

  constructor(parts: HttpDoorParts) {
    const { dataDir, host, clients, presence } = parts;
    this.#parts = parts;
    this.door = new LoopbackDoor({
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
        this.#serving ??= loadServing();
        await this.#servedFor(await this.#serving, agentId, visitor).serve(request, response);
      },
      end: () => Promise.all([...this.#served.keys()].map((id) => this.#end(id))),
    });
  }

  /** What the agent may use has changed: its clients that listen are told. */
  changed(agentId: string): void {
    for (const serving of this.#served.get(agentId)?.values() ?? []) serving.changed("tools");
  }

  forget(agentId: string): void {
    void this.#end(agentId).catch(this.#parts.host.report);
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
    const port = this.#parts.port(visitor);
    return serveOverHttp(() => mcpServer(port, this.#parts.version), this.#parts.host.report);
  }

  async #end(agentId: string): Promise<void> {
    const programs = [...(this.#served.get(agentId)?.values() ?? [])];
    this.#served.delete(agentId);
    await Promise.all(programs.map((serving) => serving.close()));
  }
}
