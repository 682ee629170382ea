import { describe, expect, it } from "vitest";
import { turn } from "../../app/contract/testing/manual-time.ts";
import type { MessageNewFrame } from "../../app/protocol/v1/frames.ts";
import { type MessageSealing, SealingError } from "../../app/protocol/v1/message-sealing.ts";
import { encodeToolCall, TOOL_CALL_SUBTYPE } from "../../app/protocol/v1/tool-messages.ts";
import { ArrivedMessages, IncomingEnvelopes } from "./arrived-messages.ts";
import { IncomingStreams } from "./incoming-streams.ts";

const frame = (wire: string, sender_id = "agent"): MessageNewFrame => ({
  type: "message.new",
  message_id: wire,
  conversation_id: "talk",
  conversation_seq: 1,
  conversation_type: "h2a",
  sender_id,
  sender_type: "agent",
  content_type: "artifact",
  msg_subtype: "artifact_tool_call",
  encrypted_payload: wire,
  created_at: "2026-01-01T00:00:00.000Z",
});

type Opened = Awaited<ReturnType<MessageSealing["open"]>>;

const envelopes = (
  open: MessageSealing["open"],
  acquainted: (agentId: string) => Promise<void> = async () => {},
) => new IncomingEnvelopes({ sealing: { open }, acquainted });

const opened = (plaintext: Uint8Array, done = async () => {}): Opened => ({
  plaintext,
  call_id: null,
  kept: async () => {},
  done,
});

describe("envelopes that come in", () => {
  it("wait until it is known how their sender's relation is encrypted", async () => {
    const met = Promise.withResolvers<void>();
    const wires: string[] = [];
    const incoming = envelopes(
      async (wire) => {
        wires.push(wire);
        throw new SealingError("replayed");
      },
      () => met.promise,
    );
    const both = [incoming.open(frame("1")), incoming.open(frame("2"))];
    await turn();
    expect(wires).toEqual([]);
    met.resolve();
    await Promise.all(both);
    expect(wires).toEqual(["1", "2"]);
  });

  it("are refused, put off or recognized by the sealing's code, each by its kind", async () => {
    const asked: unknown[] = [];
    const incoming = envelopes(async (wire, context) => {
      asked.push(context);
      throw wire === "bug" ? new TypeError("x") : new SealingError(wire);
    });
    for (const [code, verdict] of [
      ["bad_signature", { kind: "refused", code: "bad_signature" }],
      ["replayed", { kind: "known" }],
      ["storage_failed", { kind: "postponed" }],
      ["bug", { kind: "postponed" }],
    ] as const) {
      expect(await incoming.open(frame(code))).toEqual(verdict);
    }
    expect(asked[0]).toEqual({
      conversation_id: "talk",
      sender_id: "agent",
      kind: "artifact/artifact_tool_call",
      awaited: false,
    });
  });

  it("wait in order while their sender's key has changed, and delay nobody else", async () => {
    let isAccepted = false;
    const wires: string[] = [];
    const incoming = envelopes(async (wire, { sender_id }) => {
      if (sender_id === "agent" && !isAccepted) throw new SealingError("key_changed");
      wires.push(wire);
      return opened(new Uint8Array(0));
    });
    const waiting = [incoming.open(frame("1")), incoming.open(frame("2"))];
    await turn();
    waiting.push(incoming.open(frame("3")));
    await incoming.open(frame("other", "somebody"));
    expect(wires).toEqual(["other"]);
    incoming.release("agent");
    await turn();
    expect(wires).toEqual(["other"]);
    isAccepted = true;
    incoming.release("agent");
    await Promise.all(waiting);
    expect(wires).toEqual(["other", "1", "2", "3"]);
  });
});

const CALL = encodeToolCall({
  call_id: "call-1",
  tool_name: "read_file",
  arguments: { path: "/x" },
  permission_scope: "filesystem:read",
});

describe("a message while nothing can be stored", () => {
  /** Each entry is one attempt: what fails in it. */
  function tried(failures: readonly ("open" | "say" | "done" | null)[]) {
    const waits: number[] = [];
    const handled: string[] = [];
    let at = 0;
    const now = () => failures[at];
    const unstored = () => Promise.reject(new SealingError("storage_failed"));
    const messages = new ArrivedMessages({
      turn: async () => {},
      acquainted: async () => {},
      clock: {
        after: (ms, run) => {
          waits.push(ms);
          at += 1;
          setImmediate(run);
          return () => {};
        },
      },
      sealing: {
        open: () =>
          now() === "open"
            ? unstored()
            : Promise.resolve(
                opened(CALL, async () => (now() === "done" ? unstored() : undefined)),
              ),
      },
      handle: async () => {
        handled.push(`try ${at}`);
        return { call_id: "call-1", status: "ok", result: null };
      },
      giveUp: async () => true,
      keep: async () => true,
      refused: () => {},
      say: async () => now() !== "say",
    });
    return { messages, waits, handled };
  }

  it("is opened, answered and erased again until everything is stored", async () => {
    const { messages, waits, handled } = tried(["open", "say", "done", null]);
    await messages.deliver({ ...frame("call"), msg_subtype: TOOL_CALL_SUBTYPE });
    expect(handled).toEqual(["try 1", "try 2", "try 3"]);
    expect(waits).toEqual([1_000, 5_000, 30_000]);
  });

  it("stays at the hub when it never can be stored", async () => {
    const { messages, waits } = tried(Array.from({ length: 9 }, () => "open" as const));
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    messages.deliver({ ...frame("call"), msg_subtype: TOOL_CALL_SUBTYPE }).then(over, over);
    while (waits.length < 6) await turn();
    await turn();
    expect(isOver).toBe(false);
    messages.close();
  });
});

describe("streams that come in", () => {
  const about = { conversation_id: "talk", stream_id: "s", sender_id: "agent" };
  const streams = (start: string, deltas: readonly string[], done: string) => {
    const heard: string[] = [];
    const taken = new IncomingStreams(
      {
        openStream: async (wire) => {
          if (wire === "bad") throw new SealingError("bad_signature");
          return {
            delta: async (part) => {
              if (part === "bad") throw new SealingError("reordered");
              return part.toUpperCase();
            },
            done: async (part) => {
              if (part === "cut") throw new SealingError("malformed");
            },
          };
        },
      },
      ({ type }, text) => heard.push(text === null ? type : `${type} ${text}`),
    );
    taken.take({ ...about, type: "stream.start", encrypted_payload: start });
    for (const delta of deltas) {
      taken.take({ ...about, type: "stream.delta", encrypted_payload: delta });
    }
    taken.take({ ...about, type: "stream.done", encrypted_payload: done });
    return { heard, taken };
  };

  it("are passed on part by part, in the order they arrived", async () => {
    const { heard } = streams("key", ["a", "b"], "end");
    await turn();
    expect(heard).toEqual(["stream.start", "stream.delta A", "stream.delta B", "stream.done"]);
  });

  it.each([
    ["whose beginning does not open", "bad", "a", "end", ["stream.abort"]],
    ["of which a part is not the next", "key", "bad", "end", ["stream.start", "stream.abort"]],
    ["that are cut", "key", "a", "cut", ["stream.start", "stream.delta A", "stream.abort"]],
  ])("%s are taken back and go no further", async (_, start, delta, done, told) => {
    const { heard, taken } = streams(start, [delta], done);
    taken.take({ ...about, type: "stream.delta", encrypted_payload: "late" });
    await turn();
    expect(heard.slice(0, told.length)).toEqual(told);
    expect(heard.join()).not.toContain("LATE");
  });
});
