import Type, { type Static } from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import { Violation } from "../../../app/contract/json-schema/schema-violation.ts";
import { LIMITS } from "../../../app/contract/limits.ts";

const closed = { additionalProperties: false } as const;

const WAITS_FOR = ["person", "tool"] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/** A parked call: a task, for clients that know tasks. */
const AgentTask = Type.Object(
  {
    ticket: Type.String(),
    /** `refused`: every answer but `ok` and `cancelled`. */
    status: Type.Enum(["working", "ok", "refused", "cancelled"]),
    /** While it is working. */
    waits_for: Type.Enum(WAITS_FOR),
    /** Milliseconds since the epoch. */
    created_at: Type.Number(),
    updated_at: Type.Number(),
    /** For so many milliseconds after its creation at least, its answer stays. */
    ttl_ms: Type.Integer(),
  },
  closed,
);
export type AgentTask = Static<typeof AgentTask>;

/** The answer to a call, or where it stands. */
const CallAnswer = Type.Union([
  Type.Object({ kind: Type.Literal("ok"), result: Type.Unsafe<JsonValue>(Type.Unknown()) }, closed),
  /** A row of contract §1's table. */
  Type.Object(
    {
      kind: Type.Literal("refused"),
      status: Type.Enum(["denied", "error"]),
      reason: Type.String(),
      /** Where the arguments break the tool's schema. */
      violation: Type.Optional(Violation),
      /** What the person told the agent with a denial. */
      message: Type.Optional(Type.String({ maxLength: LIMITS.personsWordsChars })),
    },
    closed,
  ),
  /** It goes on; its ticket or an identical call gets the answer. */
  Type.Object({ kind: Type.Literal("parked"), task: AgentTask }, closed),
  /** Unknown, or too old. */
  Type.Object({ kind: Type.Literal("no_such_ticket") }, closed),
  /** The program ends; nothing ran. */
  Type.Object({ kind: Type.Literal("put_off") }, closed),
]);
export type CallAnswer = Static<typeof CallAnswer>;
export const isCallAnswer = guardOf(CallAnswer);

/** Where one of an agent's tasks stands, and its answer once there is one. Null: it has no such task. */
const TaskAnswer = Type.Union([
  Type.Null(),
  Type.Object({ task: AgentTask, answer: Type.Union([Type.Null(), CallAnswer]) }, closed),
]);
export type TaskAnswer = Static<typeof TaskAnswer>;
export const isTaskAnswer = guardOf(TaskAnswer);

export const isTaskList = guardOf(Type.Array(AgentTask));

/** `was_over`: there was nothing to cancel any more. Null: no such task. */
const CancelAnswer = Type.Union([
  Type.Null(),
  Type.Object({ task: AgentTask, was_over: Type.Boolean() }, closed),
]);
export type CancelAnswer = Static<typeof CancelAnswer>;
export const isCancelAnswer = guardOf(CancelAnswer);

export const CallProgress = Type.Object(
  {
    waits_for: Type.Enum(WAITS_FOR),
    /** Of a tool that reports it. */
    done: Type.Union([Type.Integer(), Type.Null()]),
    total: Type.Union([Type.Integer(), Type.Null()]),
  },
  closed,
);
export type CallProgress = Static<typeof CallProgress>;
export const isCallProgress = guardOf(CallProgress);
