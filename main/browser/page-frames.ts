import Type, { type Static } from "typebox";
import type { CallReply } from "../../app/bridge/client-bridge.ts";
import type { EventName } from "../../app/bridge/events.ts";
import { guardOf } from "../../app/contract/checked.ts";
import { parseStrictJson } from "../../app/contract/strict-json.ts";

/** Maximum bytes of one frame from a page; `page.answer` has up to 2,000,000 characters. */
export const FRAME_BYTES = 4 * 1024 * 1024;

const closed = { additionalProperties: false } as const;
/** Chosen by the page and repeated in the reply. */
const FrameId = Type.Union([
  Type.String({ minLength: 1, maxLength: 64 }),
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
]);
type FrameId = Static<typeof FrameId>;

const Hello = Type.Object(
  { type: Type.Literal("hello"), token: Type.String({ minLength: 1, maxLength: 128 }) },
  closed,
);
const CallFrame = Type.Object(
  { type: Type.Literal("call"), id: FrameId, name: Type.String(), args: Type.Unknown() },
  closed,
);
const isHello = guardOf(Hello);
const isCall = guardOf(CallFrame);
const isNamed = guardOf(Type.Object({ id: FrameId }));

export type PageFrame =
  | Static<typeof Hello>
  | Static<typeof CallFrame>
  /** `id` if the frame at least said which call it was. */
  | { readonly type: "malformed"; readonly id: FrameId | null };

export function readPageFrame(data: Uint8Array, binary: boolean): PageFrame {
  if (binary) return { type: "malformed", id: null };
  const value = parsed(data);
  if (isHello(value) || isCall(value)) return value;
  return { type: "malformed", id: isNamed(value) ? value.id : null };
}

function parsed(data: Uint8Array): unknown {
  try {
    return parseStrictJson(data, FRAME_BYTES);
  } catch {
    return undefined;
  }
}

export type HostFrame =
  | { readonly type: "welcome"; readonly session: string }
  | { readonly type: "refused" }
  | { readonly type: "reply"; readonly id: FrameId; readonly reply: CallReply }
  | { readonly type: "event"; readonly name: EventName; readonly event: unknown };
