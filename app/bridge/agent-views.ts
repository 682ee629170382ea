/** An agent's status at the hub. */
const RELATION_STATUSES = ["active", "suspended", "revoked"] as const;
export type RelationStatus = (typeof RELATION_STATUSES)[number];

/**
 * How an agent is reached: through the hub, or without it on this computer. Over a webhook only the
 * layers L1 to L3 and L6 protect a message.
 */
const DELIVERIES = ["websocket", "webhook", "local", "hook"] as const;
export type Delivery = (typeof DELIVERIES)[number];

/** The most characters of a name that the person gives an agent. */
export const PETNAME_MAX = 64;

const DIFFERENCE_KINDS = ["added", "removed", "changed"] as const;
type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** One member of a tool's or scope's declaration, before and after; null where it is absent. */
export interface MemberDifference {
  readonly member: string;
  /** Agent-written: JSON, or the bare text where it is one. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface ManifestDifference {
  readonly subject: "scope" | "tool" | "manifest";
  /** A scope's id, a tool's name; empty for the manifest itself. */
  readonly id: string;
  readonly kind: DifferenceKind;
  /** The hub says so (contract §7): the person must consent again. */
  readonly breaking: boolean;
  readonly members: readonly MemberDifference[];
}

/** An agent's manifest as it was reviewed against what it is now. */
export interface AgentDifferences {
  /** SHA-256 of the manifest, lowercase hex. */
  readonly reviewed_digest: string;
  readonly digest: string;
  readonly differences: readonly ManifestDifference[];
  /** `differences` holds the first of them. */
  readonly in_all: number;
}

/** Differences shown at most. */
export const DIFFERENCES_SHOWN = 300;
/** Characters of one value shown at most. */
export const DIFFERENCE_TEXT_MAX = 4_000;

/** The reasons that the log has for them. */
export const MISSED_WHYS = [
  "user_timeout",
  "agent_disconnected",
  "manifest_changed",
  "cancelled",
] as const;
export type MissedWhy = (typeof MISSED_WHYS)[number];

/** A request that ended without the person. `calls.recall` has its arguments for a while. */
export interface MissedRequest {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly call_id: string;
  readonly tool_name: string;
  readonly asked_at: number;
  readonly ended_at: number;
  readonly why: MissedWhy;
}

export interface MissedView {
  /** Newest first. */
  readonly requests: readonly MissedRequest[];
  /** The number of older ones. */
  readonly more: number;
}

/** Requests that found no place among those that wait, since the person last saw this. */
export interface TurnedAwayView {
  readonly agents: readonly {
    readonly agent_id: string;
    readonly name: string;
    readonly count: number;
  }[];
  /** How many of further agents. */
  readonly others: number;
}

/** Agents that are named; the requests of others are counted together. */
export const TURNED_AWAY_KEPT = 20;

/** Requests kept by name; older ones are counted. */
export const MISSED_KEPT = 50;
