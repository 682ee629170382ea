import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { AgentDifferences } from "../../../app/bridge/manifest-views.ts";
import type { HookWay } from "../../../app/contract/hook-way.ts";
import { isVisibleName } from "../../../app/contract/visible-name.ts";
import type { LiveCalls } from "../../../app/execution/live-calls.ts";
import { type HubAgent, isHubAgent, type KnownAgent } from "../../../app/grants/grant.ts";
import type { ChannelAgents } from "../../channels/channel.ts";
import { setHookWay } from "../../channels/hooks/hook-ways.ts";
import type { AgentReader, AgentWriter, KeptValues } from "../../storage/index.ts";
import type { Petnames } from "./agent-naming.ts";
import type { BreakingMarks } from "./breaking-marks.ts";
import type { IgnoredFolders } from "./ignored-folders.ts";
import { manifestDifferences } from "./manifest-differences.ts";
import type { Permissions } from "./permissions.ts";
import type { Suspensions } from "./suspensions.ts";

export interface AgentActionPorts {
  readonly agents: AgentReader & AgentWriter;
  readonly permissions: Permissions;
  readonly petnames: Petnames;
  readonly suspensions: Pick<Suspensions, "set">;
  readonly breaking: Pick<BreakingMarks, "of" | "clear">;
  readonly ignored: Pick<IgnoredFolders, "clear">;
  readonly live: Pick<LiveCalls, "end">;
  readonly channelOf: (
    agent: KnownAgent,
  ) => Pick<ChannelAgents, "release" | "forget" | "tellSuspended">;
  readonly conversations: {
    /** Its history goes with it, or is kept by the person's choice. @throws StoreError */
    agentLeaves(agent: HubAgent, keepHistory: boolean): Promise<void>;
    /** It is known no more. */
    agentLeft(): void;
  };
  /** What its calls carried. */
  readonly recalled: { forgetAgent(agentId: string): void };
  readonly tried: { forgetAgent(agentId: string): void };
  readonly settings: KeptValues;
  readonly changed: () => void;
}

/** What the person does with an agent as a whole. */
export class AgentActions {
  readonly #ports: AgentActionPorts;
  #told: Promise<void> = Promise.resolve();

  constructor(ports: AgentActionPorts) {
    this.#ports = ports;
  }

  /** @throws BridgeError `not_found`, `nothing_visible`; StoreError */
  async rename(agentId: string, petname: string | null): Promise<void> {
    this.#agent(agentId);
    if (petname !== null && !isVisibleName(petname)) throw bridgeError("nothing_visible");
    await this.#ports.petnames.set(agentId, petname);
    this.#ports.changed();
  }

  /** @throws BridgeError `not_found`; StoreError */
  async setHookWay(agentId: string, way: HookWay): Promise<void> {
    this.#agent(agentId);
    await setHookWay(this.#ports.settings, agentId, way);
    this.#ports.changed();
  }

  /**
   * Suspending ends what waits and runs at once, even if the other end cannot be told yet.
   * @throws BridgeError `not_found`, `hub_unreachable`; StoreError
   */
  async suspend(agentId: string, suspended: boolean): Promise<void> {
    const agent = this.#agent(agentId);
    const { suspensions, live, channelOf, changed } = this.#ports;
    const stored = suspensions.set(agentId, suspended);
    if (suspended) {
      live.end({ agent_id: agentId }, "scope_revoked");
      changed();
    }
    await stored;
    changed();
    // One after the other, so that the last choice is the one the other end keeps.
    const told = this.#told.then(() => channelOf(agent).tellSuspended(agent, suspended));
    this.#told = told.catch(() => {});
    await told;
  }

  /** @throws BridgeError `not_found` */
  differences(agentId: string): AgentDifferences {
    return manifestDifferences(this.#agent(agentId), this.#ports.breaking.of(agentId));
  }

  /**
   * Revokes everything first, whether or not the rest succeeds. Then its channel removes it: an agent
   * that still has a relation at the hub would be known again at the next connect. Its history is
   * deleted before the agent, so that no history of an unknown agent remains.
   * @throws BridgeError `not_found`, `hub_unreachable`; StoreError
   */
  async remove(agentId: string, keepHistory: boolean): Promise<void> {
    const agent = this.#agent(agentId);
    const ports = this.#ports;
    await ports.permissions.revokeAgent(agentId);
    await ports.channelOf(agent).release(agent);
    if (isHubAgent(agent)) await ports.conversations.agentLeaves(agent, keepHistory);
    await ports.agents.remove(agentId);
    ports.recalled.forgetAgent(agentId);
    ports.tried.forgetAgent(agentId);
    await ports.petnames.set(agentId, null);
    await ports.suspensions.set(agentId, false);
    await ports.breaking.clear(agentId);
    await ports.ignored.clear(agentId);
    ports.channelOf(agent).forget(agentId);
    ports.conversations.agentLeft();
    ports.changed();
  }

  #agent(agentId: string): KnownAgent {
    const agent = this.#ports.agents.agent(agentId);
    if (agent === undefined) throw bridgeError("not_found");
    return agent;
  }
}
