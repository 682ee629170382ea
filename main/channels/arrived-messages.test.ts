import { describe, expect, it } from "vitest";
import { turn } from "../../app/contract/testing/manual-time.ts";
import { CONVERSATION_ID, correspondents } from "../../app/encryption/testing/correspondents.ts";
import type { MessageNewFrame } from "../../app/protocol/v1/frames.ts";
import { type MessageSealing, sealingError } from "../../app/protocol/v1/message-sealing.ts";
import { encodeToolCall, TOOL_CALL_SUBTYPE } from "../../app/protocol/v1/tool-messages.ts";
import { nodePrimitives } from "../../runtime/crypto/node-primitives.ts";
import { ArrivedMessages } from "./arrived-messages.ts";
import { IncomingEnvelopes } from "./incoming-envelopes.ts";

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
  keysKnown: (agentId: string) => Promise<void> = async () => {},
) => new IncomingEnvelopes({ sealing: { open }, keysKnown });

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
        throw sealingError("replayed");
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
      throw wire === "bug" ? new TypeError("x") : sealingError(wire);
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
      if (sender_id === "agent" && !isAccepted) throw sealingError("key_changed");
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
    const unstored = () => Promise.reject(sealingError("storage_failed"));
    const messages = new ArrivedMessages({
      turn: async () => {},
      keysKnown: async () => {},
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

  it("is opened, answered and erased again until each is stored, and is handled once", async () => {
    const { messages, waits, handled } = tried(["open", "say", "done", null]);
    await messages.deliver({ ...frame("call"), msg_subtype: TOOL_CALL_SUBTYPE });
    expect(handled).toEqual(["try 1"]);
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

describe("a message that must be opened again", () => {
  /** Three messages of an agent, and what became of them. */
  async function three() {
    const { person, agent } = await correspondents(nodePrimitives, "ratchet");
    const about = { conversation_id: CONVERSATION_ID, recipient_ids: [person.id], call_id: null };
    const frames: MessageNewFrame[] = [];
    for (const [at, text] of ["first", "second", "third"].entries()) {
      const content = new TextEncoder().encode(text);
      const wire = await agent.mail.seal(content, { ...about, kind: "text" });
      const { msg_subtype: _, ...plain } = frame(wire, agent.id);
      frames.push({
        ...plain,
        conversation_id: CONVERSATION_ID,
        conversation_seq: at + 1,
        content_type: "text",
      });
    }
    const kept: string[] = [];
    const again: (() => void)[] = [];
    const messages = new ArrivedMessages({
      sealing: person.mail,
      turn: async () => {},
      keysKnown: async () => {},
      handle: async () => null,
      giveUp: async () => true,
      keep: async ({ payload }) => {
        if (!person.records.isBroken) kept.push(new TextDecoder().decode(payload ?? undefined));
        return !person.records.isBroken;
      },
      clock: {
        after: (_, run) => {
          again.push(run);
          return () => {};
        },
      },
      refused: (_, code) => kept.push(code),
      say: async () => true,
    });
    const [first, second, third] = frames as [MessageNewFrame, MessageNewFrame, MessageNewFrame];
    return { person, messages, first, second, third, kept, again };
  }

  const untilWaiting = async (again: readonly unknown[], count: number) => {
    while (again.length < count) await turn();
  };
  const someTurns = async () => {
    for (let at = 0; at < 20; at += 1) await turn();
  };

  it("is opened before those that came later, although storage works again when they come", async () => {
    const { person, messages, first, second, kept, again } = await three();
    person.records.isBroken = true;
    const one = messages.deliver(first);
    await untilWaiting(again, 1);
    person.records.isBroken = false;
    const two = messages.deliver(second);
    await someTurns();
    again[0]?.();
    await Promise.all([one, two]);
    expect(kept).toEqual(["first", "second"]);
  });

  it("keeps its place among those that must be opened again", async () => {
    const { person, messages, first, second, third, kept, again } = await three();
    person.records.isBroken = true;
    const all = [first, second, third].map((each) => messages.deliver(each));
    await untilWaiting(again, 3);
    person.records.isBroken = false;
    for (const run of [...again].reverse()) {
      run();
      await someTurns();
    }
    await Promise.all(all);
    expect(kept).toEqual(["first", "second", "third"]);
  });

  it("holds nothing up once it is given up until the next start", async () => {
    const { person, messages, first, second, kept, again } = await three();
    person.records.isBroken = true;
    void messages.deliver(first);
    for (let at = 0; at < 6; at += 1) {
      await untilWaiting(again, at + 1);
      again[at]?.();
    }
    await someTurns();
    person.records.isBroken = false;
    await messages.deliver(second);
    expect(kept).toEqual(["second"]);
  });
});
