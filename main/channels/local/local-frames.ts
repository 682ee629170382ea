import Type, { type Static } from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import type { JsonObject, JsonValue } from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";

/** The version of everything on the local socket; another one is refused. */
export const LOCAL_VERSION = 1;

/** 256 bits, chosen by the client. */
export const TOKEN_PATTERN = "^[A-Za-z0-9_-]{43}$";

const RequestId = Type.Integer({ minimum: 0 });
const closed = { additionalProperties: false } as const;

const Hello = Type.Object(
  {
    type: Type.Literal("hello"),
    version: Type.Literal(LOCAL_VERSION),
    token: Type.String({ pattern: TOKEN_PATTERN }),
    /** What the client calls itself. */
    name: Type.String({ minLength: 1, maxLength: 256 }),
    pid: Type.Integer({ minimum: 1 }),
    /** Chosen by the client; calls of one session are one conversation to the person. */
    session: Type.String({ minLength: 1, maxLength: LIMITS.callIdChars }),
  },
  closed,
);

const Proof = Type.Object({ type: Type.Literal("proof") }, closed);
const Request = Type.Object(
  {
    type: Type.Literal("request"),
    id: RequestId,
    op: Type.String({ minLength: 1, maxLength: 64 }),
    args: Type.Unsafe<JsonObject>(Type.Object({})),
  },
  closed,
);
const Cancel = Type.Object(
  {
    type: Type.Literal("cancel"),
    id: RequestId,
    /** Because nobody has answered in the client's time. */
    late: Type.Optional(Type.Literal(true)),
  },
  closed,
);

export type Hello = Static<typeof Hello>;
const ClientFrame = Type.Union([Hello, Proof, Request, Cancel]);
export type ClientFrame = Static<typeof ClientFrame>;
export const isClientFrame = guardOf(ClientFrame);

/** Where a client stands with the person; `not_asked`: too many wait, or nobody answered in time. */
const STANDINGS = ["paired", "waiting", "refused", "not_asked"] as const;
export type StandingWord = (typeof STANDINGS)[number];

/** Why a request has no answer. */
const FAILURES = ["not_paired", "unknown_op", "invalid_arguments", "internal_error"] as const;
export type LocalFailure = (typeof FAILURES)[number];

/** The one operation for those that are not paired: asks the person again. */
export const ASK_AGAIN = "ask_again";

const ServerFrame = Type.Union([
  /** The client is to show that it is the process it says (docs/protocol.md, "The local socket"). */
  Type.Object({ type: Type.Literal("challenge"), nonce: Type.String() }, closed),
  /** The first answer to a hello, and again whenever it changes. */
  Type.Object(
    {
      type: Type.Literal("standing"),
      standing: Type.Enum(STANDINGS),
      /** The same code stands on the card; null: no card waits. */
      code: Type.Union([Type.String(), Type.Null()]),
    },
    closed,
  ),
  /** What the agent may use has changed. */
  Type.Object({ type: Type.Literal("changed") }, closed),
  Type.Object(
    {
      type: Type.Literal("progress"),
      id: RequestId,
      progress: Type.Unsafe<JsonValue>(Type.Unknown()),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal("answer"),
      id: RequestId,
      answer: Type.Unsafe<JsonValue>(Type.Unknown()),
    },
    closed,
  ),
  Type.Object({ type: Type.Literal("failed"), id: RequestId, why: Type.Enum(FAILURES) }, closed),
]);
export type ServerFrame = Static<typeof ServerFrame>;
export const isServerFrame = guardOf(ServerFrame);
