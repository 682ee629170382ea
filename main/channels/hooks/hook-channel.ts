import type { Scheduler } from "../../../app/execution/ports.ts";
import type { Channel, ChannelAgents, ChannelHost, OpenChannel } from "../channel.ts";
import { AgentPresence } from "../local/agent-presence.ts";
import { localAgents } from "../local/local-agents.ts";
import { LocalClients } from "../local/local-clients.ts";
import { LocalDoor } from "../local/local-door.ts";
import type { LoopbackDoor } from "../local/loopback-door.ts";
import { socketAddress } from "../local/socket-address.ts";
import { decidedOnly } from "./decided-only.ts";
import { HookDesk } from "./hook-desk.ts";
import { HookHttpDoor } from "./hook-http-door.ts";
import { hookManifest } from "./hook-manifest.ts";
import { HOOK_SOCKET, hookOps } from "./hook-ops.ts";

/** Stored with each of its agents and in the log. */
const HOOK = "hook";

export interface HookChannelParts {
  readonly dataDir: string;
  readonly scheduler: Scheduler;
}

/** Agents on this computer that ask before they run their own tools (docs/hooks.md). */
export const openHookChannel =
  (parts: HookChannelParts): OpenChannel =>
  (host) =>
    new HookChannel(parts, host);

class HookChannel implements Channel {
  readonly name = HOOK;
  readonly agents: ChannelAgents;
  readonly toolsFrom = decidedOnly;
  readonly pairings: LocalClients;
  readonly #door: LocalDoor;
  readonly #http: LoopbackDoor;
  readonly #host: ChannelHost;
  readonly #presence: AgentPresence;

  constructor({ dataDir, scheduler }: HookChannelParts, host: ChannelHost) {
    this.#host = host;
    this.#presence = new AgentPresence(scheduler, {
      gone: (agent_id) => host.live.end({ agent_id }, "agent_gone"),
      changed: () => host.changed(),
    });
    const changed = (agentId: string) => this.#door.changed(agentId);
    this.pairings = new LocalClients({
      host,
      scheduler,
      channel: HOOK,
      manifest: hookManifest(),
      delivery: "hook",
      changed: () => this.#door.standingsChanged(),
      granted: changed,
    });
    this.agents = localAgents({
      host,
      channel: HOOK,
      delivery: "hook",
      presence: this.#presence,
      tellGrants: async ({ agent_id }) => changed(agent_id),
      tellSuspended: async () => {},
      forget: (agentId) => {
        desk.forget(agentId);
        this.pairings.forget(agentId);
      },
    });
    const desk = new HookDesk(host, host.intake(this));
    const came = (agentId: string) => this.#presence.asked(agentId);
    const { pairings: clients } = this;
    this.#http = new HookHttpDoor({ dataDir, host, clients, desk, scheduler, came }).door;
    this.#door = new LocalDoor({
      address: socketAddress(dataDir, HOOK_SOCKET),
      clients: this.pairings,
      ops: { ...hookOps(desk), http: async () => this.#http.url },
      came,
      report: host.report,
    });
  }

  open(): void {
    void this.pairings.renewManifests().catch(this.#host.report);
    this.#door.open();
    void this.#http.open().catch(this.#host.report);
  }

  close(): void {
    this.#door.close();
    void this.#http.close().catch(this.#host.report);
    this.pairings.close();
    this.#presence.close();
  }
}
