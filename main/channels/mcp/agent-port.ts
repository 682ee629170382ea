import { errorKind } from "../../../app/contract/coded-error.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import type {
  AgentTask,
  CallAnswer,
  CallProgress,
  CancelAnswer,
  TaskAnswer,
} from "./call-answer.ts";

export interface OfferedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input_schema: JsonObject;
  readonly output_schema: JsonObject;
  readonly reads_only: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly open_world: boolean;
}

/** What an agent may use now. */
export interface Offer {
  readonly tools: readonly OfferedTool[];
  readonly scopes: readonly {
    readonly id: string;
    readonly label: string;
    readonly granted: boolean;
  }[];
  /** The folders it was given, while it may read. */
  readonly folders: readonly string[];
}

/** What the person said to a wish for more. */
export interface AskAnswer {
  /** `granted`: all of them; `waiting`: not answered yet; `managed`: nobody can give them here. */
  readonly kind: "granted" | "refused" | "waiting" | "unknown_scope" | "managed";
}

/** How a request waits. */
export interface Waiting {
  /** Aborted when the client cancels the request or is gone. */
  readonly signal: AbortSignal;
  /** Every 10 s while the call goes on; null: the client wants none, and is answered sooner. */
  readonly progress: ((progress: CallProgress) => void) | null;
  /** What is not answered soon becomes a task. Absent: the client knows none. */
  readonly task?: TaskRequest;
}

export interface TaskRequest {
  /** The task is made without waiting for an answer. */
  readonly at_once: boolean;
  /** How long the client wants the answer kept; null: it does not say. */
  readonly ttl_ms: number | null;
}

/** Why there is nothing to use, in the client's terms. */
export type Unavailable =
  | { readonly kind: "not_running" }
  /** It knows no such request: it is of another version. */
  | { readonly kind: "other_version" }
  /** The connection was lost under way: whether the call ran is not known. */
  | { readonly kind: "lost" }
  | { readonly kind: "waiting"; readonly code: string }
  /** `unproven`: the system does not say which program the client is. */
  | { readonly kind: "refused" | "not_asked" | "unproven" };

const unavailable = errorKind<Unavailable["kind"], Unavailable>("UnavailableError");

export const unavailableError = (why: Unavailable): Error =>
  unavailable(why.kind, { details: why });

/** Null for every other error. */
export const unavailableIn = (error: unknown): Unavailable | null =>
  unavailable.is(error) ? (error.details ?? null) : null;

/** One agent as the MCP server serves it. All methods reject with UnavailableError while it is not paired. */
export interface AgentPort {
  offer(): Promise<Offer>;
  call(tool: string, args: JsonObject, waiting: Waiting): Promise<CallAnswer>;
  collect(ticket: string, waiting: Waiting): Promise<CallAnswer>;
  /** @param waiting for its end; the end of this request does not cancel it. Null: as it is now */
  task(ticket: string, waiting: Waiting | null): Promise<TaskAnswer>;
  tasks(): Promise<readonly AgentTask[]>;
  cancelTask(ticket: string): Promise<CancelAnswer>;
  /** Asks the person for these scopes. Not paired yet: asks them for that. */
  ask(scopes: readonly string[], waiting: Waiting): Promise<AskAnswer>;
  /** Calls `listener` when the offer may have changed, until `signal` aborts. */
  onChanged(listener: () => void, signal: AbortSignal): void;
}
