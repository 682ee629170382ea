import { assertNever } from "../../app/contract/assert-never.ts";
import type { RunEvent } from "../chat/history.ts";

/** Milliseconds between heartbeats, well below what proxies wait. */
export const HEARTBEAT_MS = 15_000;

export interface SentEvent {
  readonly event: "text" | "tool";
  readonly data: object;
}

/** What a streaming client receives for an event; null: nothing. */
export function eventOf(event: RunEvent): SentEvent | null {
  switch (event.type) {
    case "step":
      return null;
    case "text":
      return { event: "text", data: { type: "text.delta", delta: event.delta } };
    case "tool.start": {
      const { type, name, callId: toolCallId, input } = event;
      return { event: "tool", data: { type, name, toolCallId, input } };
    }
    case "tool.output": {
      const { type, name, callId: toolCallId, output } = event;
      return { event: "tool", data: { type, name, toolCallId, output } };
    }
    case "tool.complete": {
      const { type, name, callId: toolCallId, output } = event;
      return {
        event: "tool",
        data: { type, name, toolCallId, state: "output-available", output },
      };
    }
    default:
      return assertNever(event);
  }
}
