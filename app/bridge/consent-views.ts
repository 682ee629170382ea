import type { ConsentRequest } from "../contract/consent-request.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import type { CallTarget } from "../contract/target/target.ts";
import type { AgentSigns, AgentWords } from "./agent-views.ts";

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

/** What the renderer is shown. Times are milliseconds since the epoch unless said otherwise. */
export interface ConsentCard extends ConsentRequest, AgentSigns {
  /** Null until the card is seen; then the milliseconds left when this view was made. */
  readonly remaining_ms: number | null;
  /** For how many milliseconds from then on the countdown stands still, because the person reads. */
  readonly held_ms: number;
  readonly asked_at: number;
  /** The person's own name for the agent. */
  readonly petname: string | null;
  /**
   * How many of the agent's notifications of the last minute share one notification with this request;
   * 0: it has its own.
   */
  readonly folded: number;
  /** Whether `conversation_id` is the agent's own with the person; only there do agents have tools. */
  readonly in_own_conversation: boolean;
  /** Of this tool and its permission. */
  readonly said: AgentWords;
  /** Paths of the folders that the agent has been given by now, or of the project in which it acts itself. */
  readonly folders: readonly string[];
}

/** A request that was denied, while the person can still take that back. */
export interface HeldDenialView {
  readonly card: ConsentCard;
  /** Milliseconds left when this view was made. */
  readonly leaves_in_ms: number;
}

/** A call that runs at this moment. */
export interface RunningView {
  readonly call_id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly conversation_id: string;
  readonly tool_name: string;
  readonly target: CallTarget;
  readonly arrived_at: number;
  readonly progress: ToolProgressView | null;
}

export interface ToolProgressView {
  readonly done: number;
  /** Null where it cannot be known. */
  readonly total: number | null;
  readonly unit: "files" | "bytes" | "entries";
  /** The last lines that a command wrote, oldest first. */
  readonly tail: readonly string[];
}

/**
 * A call's arguments and result, from the running program's memory only: the log has neither
 * (contract §6). Both are complete: contract §1 limits a call to 64 KiB and a result to 1 MiB.
 */
export interface RecalledCall {
  readonly arguments: JsonObject;
  /** The agent's result; null while the call runs, and unless its status is `ok`. */
  readonly result: { readonly value: JsonValue } | null;
}
