import type { Scheduler } from "../../../app/execution/ports.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import { type LocaleName, localeFor } from "../../../i18n/index.ts";
import type { Channel, ChannelAgents, ChannelHost, OpenChannel } from "../channel.ts";
import { AgentPresence, localAgents } from "../local/local-agents.ts";
import { LocalClients } from "../local/local-clients.ts";
import { AgentCalls } from "./agent-calls.ts";
import { innerPort } from "./inner-port.ts";
import { McpServers } from "./mcp-servers.ts";
import { ScopeRequests } from "./scope-requests.ts";
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
