import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { RATCHET_RULES } from "../ratchet/ratchet-state.ts";
import { begin, type End, makeEnd, makePair, NOW, text } from "../testing/conversation.ts";
import { expectRefusal } from "../testing/expect-refusal.ts";
import { withoutOneTimePrekey } from "../x3dh/prekeys.ts";
import {
  decodeSessions,
  encodeSessions,
  readSessionMessage,
  receiveInSession,
  SESSIONS_KEPT,
  sendInSession,
} from "./sessions.ts";

const CONTEXT = text("context");

async function send(from: End, to: End, content: string): Promise<Uint8Array> {
  const { card } = to.identity;
  const sent = await sendInSession(crypto, card, from.sessions, text(content), CONTEXT, NOW);
  from.sessions = sent.sessions;
  return sent.bytes;
}

async function receive(from: End, to: End, bytes: Uint8Array): Promise<string> {
  const { identity: own, sessions, prekeys } = to;
  const receiver = { own, peer: from.identity.card, sessions, prekeys, now: NOW };
  const got = await receiveInSession(crypto, receiver, bytes, CONTEXT);
  to.sessions = got.sessions;
  const used = got.usedOneTimePrekey;
  if (used !== null) to.prekeys = withoutOneTimePrekey(to.prekeys, used);
  return Buffer.from(got.plaintext).toString();
}

describe("sessions", () => {
  it("carry the prelude until the first answer, and use up one one-time prekey", async () => {
    const { agent, person } = await makePair(crypto);
    const first = await send(agent, person, "1");
    const second = await send(agent, person, "2");
    expect(readSessionMessage(second).prelude).toEqual(readSessionMessage(first).prelude);
    expect(await receive(agent, person, second)).toBe("2");
    expect(await receive(agent, person, first)).toBe("1");
    expect(person.prekeys.oneTime).toHaveLength(2);
    await receive(person, agent, await send(person, agent, "answer"));
    expect(readSessionMessage(await send(agent, person, "3")).prelude).toBeNull();
  });

  it("are not joined twice by the same first message once its prekey is used", async () => {
    const { agent, person } = await makePair(crypto);
    const first = await send(agent, person, "1");
    await receive(agent, person, first);
    await expectRefusal("replayed", () => receive(agent, person, first));
    const forgetful = { ...person, sessions: [] };
    await expectRefusal("unknown_prekey", () => receive(agent, forgetful, first));
  });

  it("keep a forged first message from using up a prekey or leaving a session", async () => {
    const { agent, person } = await makePair(crypto);
    const first = await send(agent, person, "1");
    const forged = first.map((byte, at) => (at === first.length - 1 ? byte ^ 1 : byte));
    await expectRefusal("unopenable", () => receive(agent, person, forged));
    expect(person.sessions).toEqual([]);
    expect(person.prekeys.oneTime).toHaveLength(3);
    expect(await receive(agent, person, first)).toBe("1");
  });

  it("work when both ends begin at once, and go on in one of the two", async () => {
    const { agent, person } = await makePair(crypto);
    await begin(crypto, person, agent);
    const fromAgent = await send(agent, person, "a");
    const fromPerson = await send(person, agent, "p");
    expect(await receive(agent, person, fromAgent)).toBe("a");
    expect(await receive(person, agent, fromPerson)).toBe("p");
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await receive(person, agent, await send(person, agent, "p"))).toBe("p");
      expect(await receive(agent, person, await send(agent, person, "a"))).toBe("a");
    }
    expect(agent.sessions[0]?.id).toEqual(person.sessions[0]?.id);
  });

  it("start over when one end lost its own, and the old ones do not pile up", async () => {
    const { agent, person } = await makePair(crypto);
    for (let turn = 0; turn < SESSIONS_KEPT + 2; turn += 1) {
      agent.sessions = [];
      const hub = turn < 3 ? person : { ...person, prekeys: { ...person.prekeys, oneTime: [] } };
      await begin(crypto, agent, hub);
      expect(await receive(agent, person, await send(agent, person, "again"))).toBe("again");
    }
    expect(person.sessions).toHaveLength(SESSIONS_KEPT);
    await expectRefusal("no_session", async () => {
      const lost = { ...person, sessions: [] };
      await receive(person, agent, await send(person, agent, "x"));
      await receive(agent, lost, await send(agent, person, "y"));
    });
  });

  it("do not open under another identity, context or prelude", async () => {
    const { agent, person } = await makePair(crypto);
    const other = await makeEnd(crypto, "agent-1");
    const bytes = await send(agent, person, "x");
    await expectRefusal("unopenable", () => receive(other, person, bytes));
    const changed = bytes.map((byte, at) => (at === 36 ? byte ^ 4 : byte));
    await expectRefusal("unknown_prekey", () => receive(agent, person, changed));
    await receive(agent, person, bytes);
    const second = await send(agent, person, "y");
    const renamed = second.map((byte, at) => (at === 36 ? byte ^ 4 : byte));
    await expectRefusal("unopenable", () => receive(agent, person, renamed));
  });
});

describe("sessions with an identity that changed its keys", () => {
  it("are never used for the new ones, by whoever still has them", async () => {
    const { agent, person } = await makePair(crypto);
    await receive(agent, person, await send(agent, person, "1"));
    await receive(person, agent, await send(person, agent, "2"));
    const changed = await makeEnd(crypto, "agent-1");
    const bytes = await send(agent, person, "3");
    await expectRefusal("no_session", () => receive(changed, person, bytes));
    expect(await receive(agent, person, bytes)).toBe("3");
  });
});

describe("stored sessions", () => {
  it("are read as they were written, at every stage, and go on from there", async () => {
    const { agent, person } = await makePair(crypto);
    const restart = async (end: End) => {
      const stored = await encodeSessions(crypto, end.sessions);
      const read = await decodeSessions(crypto, stored);
      expect(await encodeSessions(crypto, read)).toEqual(stored);
      end.sessions = read;
    };
    await restart(person);
    for (let turn = 0; turn < 3; turn += 1) {
      await restart(agent);
      await send(agent, person, "lost");
      await receive(agent, person, await send(agent, person, "x"));
      await restart(person);
      await receive(person, agent, await send(person, agent, "y"));
    }
    // Each time the agent left out what it had set aside, and one message more was lost.
    const { setAside } = RATCHET_RULES;
    expect(person.sessions[0]?.ratchet.skipped).toHaveLength(2 * (setAside - 2) + 3);
  });

  it("are refused with a bit flipped, cut, longer or empty, never read as none", async () => {
    const { agent, person } = await makePair(crypto);
    await send(agent, person, "lost");
    await receive(agent, person, await send(agent, person, "x"));
    const stored = await encodeSessions(crypto, person.sessions);
    for (let at = 0; at < stored.length; at += 1) {
      const flipped = stored.map((byte, place) => (place === at ? byte ^ (1 << (at % 8)) : byte));
      await expectRefusal("corrupt_state", () => decodeSessions(crypto, flipped));
      await expectRefusal("corrupt_state", () => decodeSessions(crypto, stored.slice(0, at)));
    }
    const longer = new Uint8Array([...stored, 0]);
    await expectRefusal("corrupt_state", () => decodeSessions(crypto, longer));
  });
});
