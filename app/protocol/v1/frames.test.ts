import { describe, expect, it } from "vitest";
import {
  BACKOFF_CAP_MS,
  isAuthFrame,
  isClientFrame,
  isServerFrame,
  reconnectDelayMs,
} from "./frames.ts";

describe("reconnecting", () => {
  it("waits 1, 2, 4 … 30 s, less up to a quarter by chance", () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((attempt) => reconnectDelayMs(attempt, 0))).toEqual([
      1_000,
      2_000,
      4_000,
      8_000,
      16_000,
      30_000,
      BACKOFF_CAP_MS,
    ]);
    expect(reconnectDelayMs(0, 0.999)).toBeGreaterThanOrEqual(750);
  });
});

describe("frames", () => {
  it("are told apart by their type", () => {
    expect(isAuthFrame({ type: "auth", token: "t" })).toBe(true);
    expect(isClientFrame({ type: "pong" })).toBe(true);
    expect(isServerFrame({ type: "ping" })).toBe(true);
    expect(isClientFrame({ type: "message.recall" })).toBe(false);
    expect(isServerFrame({ type: "reaction.update" })).toBe(false);
  });

  it("with a field missing or of another type are no frames", () => {
    const send = {
      type: "message.send",
      client_message_id: "1",
      conversation_id: "c",
      content_type: "text",
      encrypted_payload: "AA==",
    };
    expect(isClientFrame(send)).toBe(true);
    expect(isClientFrame({ ...send, client_message_id: 1 })).toBe(false);
    expect(isClientFrame({ ...send, content_type: "video" })).toBe(false);
    expect(isClientFrame(null)).toBe(false);
  });
});
