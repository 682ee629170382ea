import Type, { type Static } from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import type {
  AgentTask,
  CallAnswer,
  CallProgress,
  CancelAnswer,
  TaskAnswer,
} from "./call-answer.ts";

const closed = { additionalProperties: false } as const;
const schema = Type.Unsafe<JsonObject>(Type.Object({}));

const OfferedTool = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    description: Type.String(),
    input_schema: schema,
    output_schema: schema,
    reads_only: Type.Boolean(),
    destructive: Type.Boolean(),
    idempotent: Type.Boolean(),
    open_world: Type.Boolean(),
  },
  closed,
);
export type OfferedTool = Static<typeof OfferedTool>;

const OfferedScope = Type.Object(
  { id: Type.String(), label: Type.String(), granted: Type.Boolean() },
  closed,
);

/** What an agent may use now. */
const Offer = Type.Object(
  {
    tools: Type.Array(OfferedTool),
    scopes: Type.Array(OfferedScope),
    /** The folders it was given, while it may read. */
    folders: Type.Array(Type.String()),
  },
  closed,
);
export type Offer = Static<typeof Offer>;
export const isOffer = guardOf(Offer);

/** What the person said to a wish for more. */
const AskAnswer = Type.Object(
  {
    /** `granted`: all of them; `waiting`: not answered yet; `managed`: nobody can give them here. */
    kind: Type.Enum(["granted", "refused", "waiting", "unknown_scope", "managed"]),
  },
  closed,
);
export type AskAnswer = Static<typeof AskAnswer>;
export const isAskAnswer = guardOf(AskAnswer);

/** How a request waits. */
export interface Waiting {
  /** Aborted when the client cancels the request or is gone. */
  readonly signal: AbortSignal;
  /** Every 10 s while the call goes on; null: the client wants none, and is answered sooner. */
  readonly progress: ((progress: CallProgress) => void) | null;
  /** What is not answered soon becomes a task. Absent: the client knows none. */
  readonly task?: TaskWish;
}

export interface TaskWish {
  /** The task is made without waiting for an answer. */
  readonly at_once: boolean;
  /** How long the client wants the answer kept; null: it does not say. */
  readonly ttl_ms: number | null;
}

/** Why there is nothing to use, in the client's terms. */
export type Absence =
  | { readonly kind: "not_running" }
  /** The program knows no such request, or not in this form: it is of another version. */
  | { readonly kind: "other_version" }
  /** The connection was lost under way: whether the call ran is not known. */
  | { readonly kind: "lost" }
  | { readonly kind: "waiting"; readonly code: string | null }
  | { readonly kind: "refused" | "not_asked" };

export class AbsenceError extends Error {
  override readonly name = "AbsenceError";
  readonly absence: Absence;
  constructor(absence: Absence) {
    super(absence.kind);
    this.absence = absence;
  }
}

/**
 * One agent as the MCP server serves it: in this program, or behind the local socket.
 * All methods reject with AbsenceError while it cannot be reached or is not paired.
 */
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
