import type { JsonValue } from "../../../app/contract/json.ts";
import type { SchemaViolation } from "../../../app/contract/json-schema/schema-violation.ts";

export type WaitsFor = "person" | "tool";

/** A parked call: a task, for clients that know tasks. */
export interface AgentTask {
  readonly ticket: string;
  /** `refused`: every answer but `ok` and `cancelled`. */
  readonly status: "working" | "ok" | "refused" | "cancelled";
  /** While it is working. */
  readonly waits_for: WaitsFor;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  readonly updated_at: number;
  /** For so many milliseconds after its creation at least, its answer stays. */
  readonly ttl_ms: number;
}

/** The answer to a call, or where it stands. */
export type CallAnswer =
  | { readonly kind: "ok"; readonly result: JsonValue }
  /** A row of contract §1's table. */
  | {
      readonly kind: "refused";
      readonly status: "denied" | "error";
      readonly reason: string;
      /** Where the arguments break the tool's schema. */
      readonly violation?: SchemaViolation;
      /** What the person told the agent with a denial. */
      readonly message?: string;
    }
  /** It goes on; its ticket or an identical call gets the answer. */
  | { readonly kind: "parked"; readonly task: AgentTask }
  /** Unknown, or too old. */
  | { readonly kind: "no_such_ticket" }
  /** The program ends; nothing ran. */
  | { readonly kind: "put_off" };

/** Where one of an agent's tasks stands, and its answer once there is one. Null: it has no such task. */
export type TaskAnswer = null | { readonly task: AgentTask; readonly answer: CallAnswer | null };

/** `was_over`: there was nothing to cancel any more. Null: no such task. */
export type CancelAnswer = null | { readonly task: AgentTask; readonly was_over: boolean };

export interface CallProgress {
  readonly waits_for: WaitsFor;
  /** Of a tool that reports it. */
  readonly done: number | null;
  readonly total: number | null;
}
