import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { encryptionError } from "../encryption-error.ts";
import { SUITES, type Suite } from "../identity/identity.ts";
import {
  begin,
  bundleOf,
  type End,
  makeEnd,
  makePair,
  NOW,
  openRequest,
  receive,
  send,
  text,
} from "../testing/conversation.ts";
import { expectRefusal } from "../testing/expect-refusal.ts";
import {
  admitSequence,
  NOTHING_RECEIVED,
  openEnvelope,
  type SequenceWindow,
  sealEnvelope,
} from "./envelope.ts";

const suites = Object.keys(SUITES) as Suite[];

let person: End;
let agent: End;
beforeEach(async () => {
  ({ person, agent } = await makePair(crypto));
});

describe.each(suites)("a %s envelope", (suite) => {
  it("brings content and call to the other end, both ways", async () => {
    const call = await send(crypto, suite, agent, person, "list my files", { callId: "call-1" });
    const opened = await receive(crypto, suite, agent, person, call);
    expect(opened).toMatchObject({ callId: "call-1", missed: 0 });
    expect(opened.content).toEqual(text("list my files"));
    const answer = await send(crypto, suite, person, agent, "none", { callId: "call-1" });
    const back = await receive(crypto, suite, person, agent, answer);
    expect(back).toMatchObject({ callId: "call-1", content: text("none") });
  });

  it("carries content of any length, none and a megabyte included", async () => {
    for (const length of [0, 1, 15, 16, 17, 1_048_576]) {
      const content = new Uint8Array(length).fill(length % 251);
      const bytes = await send(crypto, suite, agent, person, "", { content });
      const opened = await receive(crypto, suite, agent, person, bytes);
      expect(opened.content).toEqual(content);
    }
  });

  it("shows neither content nor call to who only sees the bytes", async () => {
    const callId = "a-call-of-some-length";
    const bytes = await send(crypto, suite, agent, person, "a secret of some length", { callId });
    const seen = Buffer.from(bytes).toString("latin1");
    expect(seen).toContain("conversation-1");
    expect(seen).not.toContain("a secret of some length");
    expect(seen).not.toContain(callId);
  });

  it("is another one each time, though nothing but the generator's bytes differ", async () => {
    const one = await send(crypto, suite, agent, person, "same", { sequence: 1 });
    const other = await send(crypto, suite, agent, person, "same", { sequence: 1 });
    expect(Buffer.from(one).equals(other)).toBe(false);
  });

  it("has its content under a key of its own each time", async () => {
    const keys: string[] = [];
    const watched: typeof crypto = {
      ...crypto,
      aesGcmEncrypt(key, ...more) {
        keys.push(Buffer.from(key).toString("hex"));
        return crypto.aesGcmEncrypt(key, ...more);
      },
    };
    // The content is sealed last.
    await send(watched, suite, agent, person, "same", { sequence: 1 });
    const first = keys.at(-1);
    await send(watched, suite, agent, person, "same", { sequence: 1 });
    expect(keys.at(-1)).not.toBe(first);
  });

  it("opens for each of several recipients and for nobody else", async () => {
    const laptop = await makeEnd(crypto, "person-1");
    const stranger = await makeEnd(crypto, "person-2");
    const toLaptop = { ...agent, sessions: [] };
    await begin(crypto, toLaptop, laptop);
    const recipients = [
      { card: person.identity.card, sessions: agent.sessions },
      { card: laptop.identity.card, sessions: toLaptop.sessions },
    ];
    const bytes = await send(crypto, suite, agent, person, "to both", { recipients });
    for (const end of [person, laptop]) {
      const opened = await receive(crypto, suite, agent, end, bytes);
      expect(opened.content).toEqual(text("to both"));
    }
    await expectRefusal("wrong_recipient", () => receive(crypto, suite, agent, stranger, bytes));
  });

  it("tells how many before it never came", async () => {
    await send(crypto, suite, agent, person, "lost");
    await send(crypto, suite, agent, person, "lost too");
    const third = await send(crypto, suite, agent, person, "arrives");
    expect((await receive(crypto, suite, agent, person, third)).missed).toBe(2);
  });

  it("tells how far its sender knows the ledger", async () => {
    const ledger = { length: 7, hash: crypto.randomBytes(32) };
    const bytes = await send(crypto, suite, agent, person, "x", { ledger });
    expect((await receive(crypto, suite, agent, person, bytes)).ledger).toEqual(ledger);
  });
});

describe("what cannot be said in an envelope", () => {
  it("is refused where it is sealed", async () => {
    const sessions = agent.sessions;
    const twice = [person, person].map(({ identity: { card } }) => ({ card, sessions }));
    const wrong = [
      { conversationId: "" },
      { conversationId: "x".repeat(513) },
      { conversationId: "\ud800" },
      { sequence: 0 },
      { sequence: 2 ** 53 },
      { recipients: [] },
      { recipients: twice },
      { kind: "" },
      { callId: "" },
      { ledger: { length: 0, hash: crypto.randomBytes(32) } },
      { ledger: { length: 1, hash: new Uint8Array(32) } },
      { content: new Uint8Array(2 * 1_048_576) },
    ];
    for (const changes of wrong) {
      await expectRefusal("malformed", () => send(crypto, "sealed", agent, person, "x", changes));
    }
  });

  it("is sent to nobody without a session, when sessions are what the relation has", async () => {
    await expectRefusal("no_session", () => send(crypto, "ratchet", person, agent, "x"));
  });

  it("is not sent in sessions with an identity that has changed since", async () => {
    const changed = await makeEnd(crypto, person.identity.card.ownerId);
    await expectRefusal("no_session", () => send(crypto, "ratchet", agent, changed, "x"));
  });
});

describe("a group's envelope", () => {
  it("has up to 500 recipients, each of whom opens it", async () => {
    const [first, ...others] = await Promise.all(
      Array.from({ length: 3 }, (_, at) => makeEnd(crypto, `person-${at}`)),
    );
    if (first === undefined) throw new Error("nobody");
    const keyIds = Array.from({ length: 498 }, () => crypto.randomBytes(32));
    const strangers = keyIds.map((keyId, at) => ({
      card: { ...first.identity.card, ownerId: `member-${at}`, keyId },
      sessions: [],
    }));
    const members = others.map(({ identity: { card } }) => ({ card, sessions: [] }));
    const recipients = [...strangers, ...members];
    const bytes = await send(crypto, "sealed", agent, first, "to all", { recipients });
    for (const member of others) {
      const { content } = await receive(crypto, "sealed", agent, member, bytes);
      expect(content).toEqual(text("to all"));
    }
    await expectRefusal("malformed", () =>
      send(crypto, "sealed", agent, first, "x", {
        recipients: [...recipients, { card: first.identity.card, sessions: [] }],
      }),
    );
  });
});

describe("opening and sealing", () => {
  it("change nothing that they are given", async () => {
    const before = structuredClone({ agent, person });
    const request = {
      suite: "ratchet",
      sender: agent.identity,
      recipients: [{ card: person.identity.card, sessions: agent.sessions }],
      conversationId: "conversation-1",
      sequence: 1,
      ledger: { length: 0, hash: new Uint8Array(32) },
      kind: "text",
      callId: null,
      content: text("x"),
      now: NOW,
    } as const;
    const { bytes } = await sealEnvelope(crypto, request);
    await openEnvelope(crypto, openRequest("ratchet", agent, person), bytes);
    expect({ agent, person }).toEqual(before);
    expect(bundleOf(person)).toEqual(bundleOf(before.person));
  });
});

/** Admits numbers one after the other. @returns for each: accepted, or the code */
function admitAll(numbers: readonly number[]): readonly string[] {
  let window: SequenceWindow = NOTHING_RECEIVED;
  return numbers.map((number) => {
    try {
      window = admitSequence(window, number).window;
      return "accepted";
    } catch (error) {
      return encryptionError.is(error) ? error.code : "failed";
    }
  });
}

describe("sequence numbers", () => {
  it("are accepted rising, and each other one is refused for what it is", () => {
    expect(admitAll([1, 2, 5, 5, 4, 2, 6, 3])).toEqual([
      "accepted",
      "accepted",
      "accepted",
      "replayed",
      "reordered",
      "replayed",
      "accepted",
      "reordered",
    ]);
  });

  it("are never accepted twice, nor after a greater one, whatever comes", () => {
    const number = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(fc.array(number, { maxLength: 60 }), (numbers) => {
        const outcomes = admitAll(numbers);
        const accepted = numbers.filter((_, at) => outcomes[at] === "accepted");
        expect(accepted).toEqual([...new Set(accepted)].toSorted((a, b) => a - b));
        const highest = numbers.map((_, at) => Math.max(0, ...numbers.slice(0, at)));
        const rising = numbers.filter((each, at) => each > (highest[at] ?? 0));
        expect(accepted).toEqual(rising);
      }),
    );
  });

  it("take no more memory for a wide gap, and say how wide it was", async () => {
    const { window, missed } = admitSequence(NOTHING_RECEIVED, Number.MAX_SAFE_INTEGER);
    expect(missed).toBe(Number.MAX_SAFE_INTEGER - 1);
    expect(window.missing).toHaveLength(64);
    await expectRefusal("reordered", () => admitSequence(window, Number.MAX_SAFE_INTEGER - 1));
    await expectRefusal("replayed", () => admitSequence(window, 1));
  });
});
