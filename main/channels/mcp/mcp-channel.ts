import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import { type LocaleName, localeFor } from "../../../i18n/index.ts";
import type { Channel, ChannelAgents, ChannelHost, OpenChannel } from "../channel.ts";
import { programKey } from "../local/asking-program.ts";
import { AgentPresence, localAgents } from "../local/local-agents.ts";
import { LocalClients } from "../local/local-clients.ts";
import type { Visitor } from "../local/local-pairings.ts";
import { LoopbackServer, onceClosed } from "../local/loopback-server.ts";
import { PrivateServer } from "../local/private-server.ts";
import { LOCAL_SOCKET, socketAddress } from "../local/socket-address.ts";
import { AgentCalls } from "./agent-calls.ts";
import type { AgentPort } from "./agent-port.ts";
import type { HttpServing } from "./http-serving.ts";
import { innerPort, type PortClient } from "./inner-port.ts";
import { ScopeRequests } from "./scope-requests.ts";
import { catalogueManifest, offerTo } from "./tool-offers.ts";

interface McpServersParts {
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
class McpServers {
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

/** Stored with each of its agents and in the log. */
const MCP = "mcp";

export interface McpChannelParts {
  readonly dataDir: string;
  readonly version: string;
  readonly scheduler: Scheduler;
}

/** MCP clients on this computer: each is an agent, and may ask for everything in the catalogue. */
export const openMcpChannel =
  (parts: McpChannelParts): OpenChannel =>
  (host) =>
    new McpChannel(parts, host);

class McpChannel implements Channel {
  readonly name = MCP;
  readonly agents: ChannelAgents;
  readonly pairings: LocalClients;
  readonly #host: ChannelHost;
  readonly #servers: McpServers;
  readonly #presence: AgentPresence;
  readonly #closed = new AbortController();

  constructor({ dataDir, scheduler, version }: McpChannelParts, host: ChannelHost) {
    this.#host = host;
    this.#presence = new AgentPresence(scheduler, {
      gone: (agent_id) => host.live.end({ agent_id }, "agent_gone"),
      changed: () => host.changed(),
    });
    const requests = new ScopeRequests(scheduler, host);
    const changed = (agentId: string) => {
      this.#servers.changed(agentId);
      requests.answered();
    };
    this.pairings = new LocalClients({
      host,
      scheduler,
      channel: MCP,
      manifest: catalogueManifest(),
      delivery: "local",
      granted: changed,
    });
    this.pairings.onChanged(() => requests.answered(), this.#closed.signal);
    this.agents = localAgents({
      host,
      channel: MCP,
      delivery: "local",
      presence: this.#presence,
      tellGrants: async ({ agent_id }) => changed(agent_id),
      tellSuspended: async ({ agent_id }) => changed(agent_id),
      forget: (agentId) => {
        calls.forget(agentId);
        this.pairings.forget(agentId);
        this.#servers.forget(agentId);
      },
    });
    const calls = new AgentCalls({ host, scheduler, intake: host.intake(this) });
    const served = {
      calls,
      requests,
      clients: this.pairings,
      agent: (agentId: string) => this.agents.agent(agentId),
      offer: (agent: KnownAgent) => offerTo(agent, languageOf(host), host.deniedScopes),
    };
    this.#servers = new McpServers({
      dataDir,
      version,
      clients: this.pairings,
      host,
      port: (client) => innerPort(served, client),
      presence: this.#presence,
    });
  }

  open(): void {
    void this.pairings.renewManifests().catch(this.#host.report);
    this.#servers.open();
  }

  close(): void {
    this.#closed.abort();
    this.#servers.close();
    this.pairings.close();
    this.#presence.close();
  }
}

function languageOf({ settings }: ChannelHost): LocaleName {
  const system = () => localeFor([new Intl.DateTimeFormat().resolvedOptions().locale]);
  return settings.current().language ?? system();
}
