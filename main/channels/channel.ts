import type { Delivery, LocalPairing, RelationStatus } from "../../app/bridge/agent-views.ts";
import type { HookWay } from "../../app/contract/hook-way.ts";
import type { Manifest } from "../../app/contract/manifest.ts";
import type { CallName, CarriedOut, ToolResponse } from "../../app/contract/tool-call.ts";
import type { LiveCalls } from "../../app/execution/live-calls.ts";
import type { AgentSource, Arrival, ToolBox, TrustedClock } from "../../app/execution/ports.ts";
import type { KnownAgent } from "../../app/grants/grant.ts";
import type { AgentReader, AgentWriter } from "../storage/agent-store.ts";
import type { KeptValues, SettingsReader } from "../storage/settings-store.ts";
import type { FileSnapshots } from "../tools/files/keeping/file-snapshots.ts";

/** An agent's status at its channel, for the person to see. */
export interface AgentStatus {
  readonly relation: RelationStatus;
  readonly delivery: Delivery;
}

/** A channel's agents: what the chain asks before each call, and what the person's actions need. */
export interface ChannelAgents extends AgentSource {
  isOnline(agentId: string): boolean;
  statusOf(agentId: string): AgentStatus;
  /** Whether this is the newest manifest of the agent that is known of, stored or not. */
  isNewest(agentId: string, manifestVersion: number): boolean;
  /**
   * Tells the other end what the agent is granted now. Never rejects; what fails is repeated later.
   * @param answered the manifest version whose page the person has answered
   */
  tellGrants(agent: KnownAgent, answered?: number): Promise<void>;
  /**
   * Tells the other end that the person has suspended the agent, or resumed it. Suspending never
   * rejects; what fails is repeated later. @throws BridgeError `hub_unreachable` when resuming
   */
  tellSuspended(agent: KnownAgent, suspended: boolean): Promise<void>;
  /**
   * Ends at the other end whatever would make a removed agent known again.
   * @throws BridgeError `hub_unreachable`
   */
  release(agent: KnownAgent): Promise<void>;
  /** The agent was removed: forgets everything about it. */
  forget(agentId: string): void;
}

/** What a channel passes its arrivals to. */
export interface CallIntake {
  /** The chain. Null: not answered now; the call must be delivered again. */
  handle(arrival: Omit<Arrival, "transport">): Promise<ToolResponse | null>;
  /**
   * The agent cancels the call.
   * @param isLate because its own time for an answer is over
   * @returns false when the call was put off: both the call and this must be delivered again
   */
  giveUp(call: CallName, isLate?: boolean): Promise<boolean>;
  /**
   * What the agent says became of a call that it was allowed here and carried out itself.
   * @param resultDigest null: what it says of the result could not be read
   */
  carriedOut(call: CallName, status: CarriedOut, resultDigest: string | null): Promise<void>;
  /** Keeps what files hold before the agent itself changes them. */
  readonly snapshots: Pick<FileSnapshots, "before" | "after" | "drop">;
}

/** What the program gives a channel when it opens it. */
export interface ChannelHost {
  intake(channel: Pick<Channel, "name" | "agents" | "toolsFrom">): CallIntake;
  /** All agents of the person; a channel uses only its own. */
  readonly agents: AgentReader & AgentWriter;
  /** Permissions that nobody can give on this computer (contract §13). */
  readonly deniedScopes: readonly string[];
  /** Ends calls early, for example those of an agent that is gone. */
  readonly live: Pick<LiveCalls, "end" | "find">;
  readonly clock: TrustedClock;
  /** Small values of its own, by names that begin with its own. */
  readonly settings: KeptValues & Pick<SettingsReader, "current">;
  /** What pages show of agents may be out of date. */
  changed(): void;
  /** What pages show of those that ask to be added may be out of date. */
  pairingsChanged(): void;
  /** Reports an internal error by name and code, never with received content. */
  readonly report: (error: unknown) => void;
}

/** Somebody who asks the person to be added, or for more. */
export interface ChannelPairing {
  readonly pairing_id: string;
  /** The same code stands at the other end. */
  readonly code: string;
  /** What it calls itself. */
  readonly name: string;
  readonly manifest: Manifest;
  /** The scopes of the manifest that the person may choose from. */
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
  readonly local: LocalPairing;
}

/** What the person chose for a program on this computer. */
export interface ConnectTerms {
  /** Of an agent with hooks. */
  readonly way?: HookWay | undefined;
  /** It is the agent that its pairing names in `same_as`, not another one. */
  readonly merge?: boolean;
}

/** Those who wait to be added to a channel's agents. */
export interface ChannelPairings {
  list(): readonly ChannelPairing[];
  /** @throws BridgeError `not_found`, `not_offered`; StoreError */
  answer(
    pairingId: string,
    accept: boolean,
    scopes: readonly string[],
    terms: ConnectTerms,
  ): Promise<void>;
}

export type OpenChannel = (host: ChannelHost) => Channel;

/** Brings agents' calls to the chain, and its answers back. */
export interface Channel {
  /** Stored with each of its agents and in the log. */
  readonly name: string;
  readonly agents: ChannelAgents;
  /** Absent: the channel asks the person itself, or nobody is added through it. */
  readonly pairings?: ChannelPairings;
  /** What its calls run on instead of our own tools; absent: on those. */
  readonly toolsFrom?: (ours: ToolBox) => ToolBox;
  /** Accepts calls from now on. */
  open(): void;
  close(): void;
}
