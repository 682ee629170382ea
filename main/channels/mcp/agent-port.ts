import Type, { type Static } from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import type { JsonObject, JsonValue } from "../../../app/contract/json.ts";
import { Violation } from "../../../app/contract/json-schema/schema-violation.ts";

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

const WAITS_FOR = ["person", "tool"] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

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
    },
    closed,
  ),
  /** It goes on; the ticket or an identical call collects the answer. */
  Type.Object(
    { kind: Type.Literal("parked"), ticket: Type.String(), waits_for: Type.Enum(WAITS_FOR) },
    closed,
  ),
  /** Unknown, collected already, or waited for by another request. */
  Type.Object({ kind: Type.Literal("no_such_ticket") }, closed),
  /** The program ends; nothing ran. */
  Type.Object({ kind: Type.Literal("put_off") }, closed),
]);
export type CallAnswer = Static<typeof CallAnswer>;
export const isCallAnswer = guardOf(CallAnswer);

/** What the person said to a wish for more. */
const AskAnswer = Type.Object(
  {
    /** `granted`: all of them; `waiting`: not answered yet. */
    kind: Type.Enum(["granted", "refused", "waiting", "unknown_scope"]),
  },
  closed,
);
export type AskAnswer = Static<typeof AskAnswer>;
export const isAskAnswer = guardOf(AskAnswer);

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

/** How a request waits. */
export interface Waiting {
  /** Aborted when the client cancels the request or is gone. */
  readonly signal: AbortSignal;
  /** Every 10 s while the call goes on; null: the client wants none, and is answered sooner. */
  readonly progress: ((progress: CallProgress) => void) | null;
  /** The client's own number of the request. */
  readonly request?: string | number;
}

/** Why there is nothing to use, in the client's terms. */
export type Absence =
  | { readonly kind: "not_running" }
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
  /** Asks the person for these scopes. Not paired yet: asks them for that. */
  ask(scopes: readonly string[], waiting: Waiting): Promise<AskAnswer>;
  /** Calls `listener` when the offer may have changed, until `signal` aborts. */
  onChanged(listener: () => void, signal: AbortSignal): void;
}
