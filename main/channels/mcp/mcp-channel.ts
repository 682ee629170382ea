import type { Scheduler } from "../../../app/execution/ports.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import { type LocaleName, localeFor } from "../../../i18n/index.ts";
import type { Channel, ChannelAgents, ChannelHost, OpenChannel } from "../channel.ts";
import { AgentPresence, localAgents } from "../local/local-agents.ts";
import { LocalClients } from "../local/local-clients.ts";
import { LocalDoor } from "../local/local-door.ts";
import { LOCAL_SOCKET, socketAddress } from "../local/socket-address.ts";
import { AgentCalls } from "./agent-calls.ts";
import { AgentWishes } from "./agent-wishes.ts";
import { HttpDoor } from "./http-door.ts";
import { innerPort } from "./inner-port.ts";
import { mcpOps } from "./mcp-ops.ts";
import { catalogueManifest, offerTo } from "./tool-offers.ts";

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
  readonly #door: LocalDoor;
  readonly #http: HttpDoor;
  readonly #presence: AgentPresence;

  constructor({ dataDir, scheduler, version }: McpChannelParts, host: ChannelHost) {
    this.#host = host;
    this.#presence = new AgentPresence(scheduler, {
      gone: (agent_id) => host.live.end({ agent_id }, "agent_gone"),
      changed: () => host.changed(),
    });
    const wishes = new AgentWishes(scheduler, host);
    const changed = (agentId: string) => {
      this.#door.changed(agentId);
      this.#http.changed(agentId);
      wishes.answered();
    };
    this.pairings = new LocalClients({
      host,
      scheduler,
      channel: MCP,
      manifest: catalogueManifest(),
      delivery: "local",
      changed: () => {
        this.#door.standingsChanged();
        wishes.answered();
      },
      granted: changed,
    });
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
        this.#http.forget(agentId);
      },
    });
    const calls = new AgentCalls({ host, scheduler, intake: host.intake(this) });
    const served = {
      calls,
      wishes,
      clients: this.pairings,
      agent: (agentId: string) => this.agents.agent(agentId),
      offer: (agent: KnownAgent) => offerTo(agent, languageOf(host), host.deniedScopes),
    };
    this.#http = new HttpDoor({
      dataDir,
      version,
      clients: this.pairings,
      host,
      port: (visitor) => innerPort(served, visitor),
      presence: this.#presence,
    });
    this.#door = new LocalDoor({
      address: socketAddress(dataDir, LOCAL_SOCKET),
      clients: this.pairings,
      ops: { ...mcpOps(served), http: async () => this.#http.door.url },
      came: (agentId) => this.#presence.came(agentId),
      report: host.report,
    });
  }

  open(): void {
    void this.pairings.renewManifests().catch(this.#host.report);
    this.#door.open();
    void this.#http.door.open().catch(this.#host.report);
  }

  close(): void {
    this.#door.close();
    void this.#http.door.close().catch(this.#host.report);
    this.pairings.close();
    this.#presence.close();
  }
}

function languageOf({ settings }: ChannelHost): LocaleName {
  const system = () => localeFor([new Intl.DateTimeFormat().resolvedOptions().locale]);
  return settings.current().language ?? system();
}
