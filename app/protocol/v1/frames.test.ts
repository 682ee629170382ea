import { describe, expect, it } from "vitest";
import { isAuthFrame, isClientFrame, isServerFrame } from "./frames.ts";

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
