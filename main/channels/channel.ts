import type { Delivery, RelationStatus } from "../../app/bridge/agent-views.ts";
import type { CallName } from "../../app/contract/call-key.ts";
import type { ToolResponse } from "../../app/contract/tool-call.ts";
import type { Arrival } from "../../app/execution/arrival.ts";
import type { LiveCalls } from "../../app/execution/live-calls.ts";
import type { AgentSource, TrustedClock } from "../../app/execution/ports.ts";
import type { KnownAgent } from "../../app/grants/grant.ts";
import type { AgentReader, AgentWriter } from "../storage/agent-store.ts";

/** How an agent stands with its channel, for the person to see. */
export interface Standing {
  readonly relation: RelationStatus;
  readonly delivery: Delivery;
}

/** A channel's agents: what the chain asks before each call, and what the person's actions need. */
export interface ChannelAgents extends AgentSource {
  isOnline(agentId: string): boolean;
  standing(agentId: string): Standing;
  /** Whether no newer manifest of the agent than this was heard of, be it stored yet or not. */
  isNewest(agentId: string, manifestVersion: number): boolean;
  /**
   * Says on the other end what the agent is granted now. Never rejects: what cannot be said is
   * said again later.
   * @param answered the manifest version whose page the person has answered
   */
  tellGrants(agent: KnownAgent, answered?: number): Promise<void>;
  /**
   * Ends on the other end whatever would make a removed agent known again.
   * @throws BridgeError `hub_unreachable`
   */
  release(agent: KnownAgent): Promise<void>;
  /** The agent is removed: nothing is remembered of it. */
  forget(agentId: string): void;
}

/** What a channel hands its arrivals to. */
export interface CallIntake {
  /** The chain. Null: not answered now; the call must come again. */
  handle(arrival: Omit<Arrival, "transport">): Promise<ToolResponse | null>;
  /**
   * The agent wants the call no more.
   * @returns false when the call was put off: it comes again, and so must this
   */
  giveUp(call: CallName): Promise<boolean>;
}

/** What the program gives a channel when it opens it. */
export interface ChannelHost {
  intake(channel: Pick<Channel, "name" | "agents">): CallIntake;
  /** All agents of the person; a channel keeps to its own. */
  readonly agents: AgentReader & AgentWriter;
  /** Ends calls early: those of an agent that is gone, say. */
  readonly live: Pick<LiveCalls, "end">;
  readonly clock: TrustedClock;
  /** What pages show of agents may be old. */
  changed(): void;
  /** A fault of ours, by name and code: never with what somebody sent. */
  readonly report: (error: unknown) => void;
}

export type OpenChannel = (host: ChannelHost) => Channel;

/** A way by which agents' calls reach the chain, and its answers reach them. */
export interface Channel {
  /** In each of its agents and in the log. */
  readonly name: string;
  readonly agents: ChannelAgents;
  /** Takes calls from now on. */
  open(): void;
  close(): void;
}
