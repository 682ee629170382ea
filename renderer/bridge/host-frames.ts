import { BRIDGE_ERRORS, type CallReply } from "../../app/bridge/client-bridge.ts";
import { EVENT_NAMES, type EventName } from "../../app/bridge/events.ts";

/** What the browser host sends to its page. */
export type HostFrame =
  | { readonly type: "welcome"; readonly session: string }
  | { readonly type: "refused" }
  | { readonly type: "reply"; readonly id: number; readonly reply: CallReply }
  | { readonly type: "event"; readonly name: EventName; readonly event: unknown };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** A valid frame, or null: the page ignores what it does not know. */
export function readHostFrame(data: unknown): HostFrame | null {
  const frame = parsed(data);
  if (!isFields(frame)) return null;
  switch (frame.type) {
    case "welcome":
      return typeof frame.session === "string" ? { type: "welcome", session: frame.session } : null;
    case "refused":
      return { type: "refused" };
    case "reply":
      return replyFrame(frame.id, frame.reply);
    case "event":
      return eventFrame(frame.name, frame.event);
    default:
      return null;
  }
}

function parsed(data: unknown): unknown {
  if (typeof data !== "string") return null;
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

function replyFrame(id: unknown, reply: unknown): HostFrame | null {
  if (typeof id !== "number" || !isFields(reply)) return null;
  if (reply.ok === true) {
    return { type: "reply", id, reply: { ok: true, result: reply.result } };
  }
  const code = BRIDGE_ERRORS.find((known) => known === reply.code) ?? "internal_error";
  return { type: "reply", id, reply: { ok: false, code } };
}

function eventFrame(name: unknown, event: unknown): HostFrame | null {
  const known = EVENT_NAMES.find((each) => each === name);
  return known === undefined ? null : { type: "event", name: known, event };
}
