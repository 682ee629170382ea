import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { appendEntry, NO_LEDGER } from "../ledger/ledger.ts";
import { acquaint, CONVERSATION_ID, correspondents, testEnd } from "../testing/correspondents.ts";
import { expectRefused, take, write } from "../testing/mail.ts";
import { decodePrekeys } from "../x3dh/prekeys.ts";
import { restartedAt } from "./session-store.ts";

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("an end that lost its sessions", () => {
  it("starts over, and what the other sends in the new session opens", async () => {
    const { person, agent } = await correspondents(crypto);
    await take(agent, person, await write(agent, person, "one"));
    await take(person, agent, await write(person, agent, "two"));
    person.records.forget("sessions");
    const later = await person.restart();
    const lost = write(agent, later, "three");
    await expectRefused(take(agent, later, await lost), "no_session");
    await settled();
    const renewed = { owner_id: agent.id, conversation_id: CONVERSATION_ID };
    expect(later.events).toEqual([{ kind: "session_renewed", ...renewed }]);
    expect(await take(later, agent, await write(later, agent, "a sign"))).toBe("a sign");
    expect(await take(agent, later, await write(agent, later, "three again"))).toBe("three again");
  });

  it("asks for one new session, however much of the old one still comes", async () => {
    const { person, agent } = await correspondents(crypto);
    await take(agent, person, await write(agent, person, "one"));
    await take(person, agent, await write(person, agent, "two"));
    person.records.forget("sessions");
    const later = await person.restart();
    for (const text of ["three", "four", "five"]) {
      const wire = await write(agent, later, text);
      await expectRefused(take(agent, later, wire), "no_session");
      await settled();
    }
    expect(later.events).toHaveLength(1);
  });

  it("asks for one new session, although more of the old one comes before the hub answers", async () => {
    const { person, agent, world } = await correspondents(crypto);
    await take(agent, person, await write(agent, person, "one"));
    await take(person, agent, await write(person, agent, "two"));
    person.records.forget("sessions");
    const later = await person.restart();
    const { left } = world.directory.for(agent.id);
    const before = (await left(agent.identity.card.keyId)) ?? 0;
    const answer = Promise.withResolvers<void>();
    world.directory.answersAfter = answer.promise;
    const wires = await Promise.all(
      ["three", "four", "five"].map((text) => write(agent, later, text)),
    );
    await Promise.all(wires.map((wire) => expectRefused(take(agent, later, wire), "no_session")));
    answer.resolve();
    await settled();
    expect(later.events).toHaveLength(1);
    expect(await left(agent.identity.card.keyId)).toBe(before - 1);
  });

  it("tells the other of a session that it has begun by writing first, once", async () => {
    const { person, agent } = await correspondents(crypto);
    await take(agent, person, await write(agent, person, "one"));
    await take(person, agent, await write(person, agent, "two"));
    person.records.forget("sessions");
    const later = await person.restart();
    const first = await write(later, agent, "begins a session");
    for (const text of ["three", "four"]) {
      await expectRefused(take(agent, later, await write(agent, later, text)), "no_session");
      await settled();
    }
    const renewed = { owner_id: agent.id, conversation_id: CONVERSATION_ID };
    expect(later.events).toEqual([{ kind: "session_renewed", ...renewed }]);
    expect(await take(later, agent, first)).toBe("begins a session");
    expect(await take(agent, later, await write(agent, later, "three again"))).toBe("three again");
  });

  it("tells the other of each session that it lost", async () => {
    const { person, agent } = await correspondents(crypto);
    let end = person;
    for (const round of ["first", "second"]) {
      await take(agent, end, await write(agent, end, round));
      await take(end, agent, await write(end, agent, round));
      end.records.forget("sessions");
      end = await end.restart();
      const first = await write(end, agent, "begins a session");
      await expectRefused(take(agent, end, await write(agent, end, "lost")), "no_session");
      await settled();
      expect(end.events).toHaveLength(1);
      await take(end, agent, first);
    }
  });

  it("is taken for nobody's replay when it lost everything but its identity", async () => {
    const { person, agent, world } = await correspondents(crypto);
    await take(agent, person, await write(agent, person, "one"));
    for (const text of ["two", "three"])
      await take(person, agent, await write(person, agent, text));
    person.records.forget("");
    await person.records.save(new Map([await restartedAt(crypto, world.now)]));
    const later = await person.restart();
    await later.mail.replenish();
    await acquaint(later, agent, "ratchet", CONVERSATION_ID);
    expect(await take(later, agent, await write(later, agent, "four"))).toBe("four");
    expect(agent.events).toMatchObject([{ kind: "missed", owner_id: person.id }]);
    expect(await take(agent, later, await write(agent, later, "five"))).toBe("five");
    await later.mail.close();
    const again = await later.restart();
    expect(await take(again, agent, await write(again, agent, "six"))).toBe("six");
    expect(agent.events).toHaveLength(1);
  });

  it("never gives a prekey the number of one it lost", async () => {
    const { person, world } = await correspondents(crypto);
    person.records.forget("");
    await person.records.save(new Map([await restartedAt(crypto, world.now)]));
    const later = await person.restart();
    await later.mail.replenish();
    const stored = person.records.stored.get("prekeys") ?? new Uint8Array(0);
    const { nextId, signed } = await decodePrekeys(crypto, stored);
    expect(signed.map(({ id }) => id)).toEqual([world.now / 1_000]);
    expect(nextId).toBeGreaterThan(world.now / 1_000);
  });

  it("refuses damaged records instead of beginning from nothing", async () => {
    const { person, agent } = await correspondents(crypto);
    await take(agent, person, await write(agent, person, "one"));
    for (const [name, bytes] of [...person.records.stored]) {
      person.records.stored.set(name, bytes.with(0, (bytes[0] ?? 0) ^ 1));
      await expectRefused(person.restart(), "corrupt_state");
      person.records.stored.set(name, bytes);
    }
  });
});

describe("an end with another key", () => {
  const impostor = async () => {
    const pair = await correspondents(crypto);
    const other = await testEnd(pair.world, pair.agent.id, "agent");
    return { ...pair, other };
  };

  it("is told of once, and nothing goes either way until the person accepts it", async () => {
    const { person, agent, other } = await impostor();
    await person.mail.markVerified(agent.id, person.mail.peer(agent.id)?.key_id ?? "", true);
    await person.mail.introduce(agent.id, other.mail.card, null);
    await person.mail.introduce(agent.id, other.mail.card, null);
    const told = { kind: "key_changed", owner_id: agent.id, was_verified: true };
    expect(person.events).toEqual([told]);
    await expectRefused(write(person, agent, "x"), "key_changed");
    const wire = await write(agent, person, "x");
    await expectRefused(take(agent, person, wire), "key_changed");
  });

  it("counts from when it is accepted, unverified, and the old one no more", async () => {
    const { person, agent, other } = await impostor();
    await person.mail.introduce(agent.id, other.mail.card, null);
    const shown = await person.mail.safetyNumber(agent.id);
    await expectRefused(person.mail.acceptKey(agent.id, "00"), "key_changed");
    await person.mail.acceptKey(agent.id, person.mail.peer(agent.id)?.changed_to ?? "");
    expect(person.mail.peer(agent.id)).toMatchObject({ verified: false, changed_to: null });
    const introduction = { level: "ratchet", conversationId: CONVERSATION_ID } as const;
    await other.mail.introduce(person.id, person.mail.card, introduction);
    expect(await other.mail.safetyNumber(person.id)).toEqual(shown);
    expect(await take(other, person, await write(other, person, "hello"))).toBe("hello");
    const old = await write(agent, person, "x");
    await expectRefused(take(agent, person, old), "wrong_sender");
  });

  it("is forgotten when the known key is shown again, and what was compared stays so", async () => {
    const { person, agent, other } = await impostor();
    await person.mail.markVerified(agent.id, person.mail.peer(agent.id)?.key_id ?? "", true);
    await person.mail.introduce(agent.id, other.mail.card, null);
    await person.mail.introduce(agent.id, agent.mail.card, null);
    expect(person.events.map(({ kind }) => kind)).toEqual(["key_changed", "key_changed_back"]);
    const again = await person.restart();
    expect(again.mail.peer(agent.id)).toMatchObject({ verified: true, changed_to: null });
    expect(await take(agent, again, await write(agent, again, "x"))).toBe("x");
    const keyId = Buffer.from(other.identity.card.keyId).toString("hex");
    await expectRefused(again.mail.acceptKey(agent.id, keyId), "key_changed");
  });

  it("is not taken for the owner of a card that names somebody else", async () => {
    const { person, agent } = await correspondents(crypto);
    const wrong = person.mail.introduce("agent-2", agent.mail.card, null);
    await expectRefused(wrong, "bad_identity");
  });
});

describe("the ledger between two ends", () => {
  const granting = { kind: "grant", agentId: "agent-1", at: 1, manifestHash: new Uint8Array(32) };

  it("is checked by both, and its head goes with each message", async () => {
    const { person, agent } = await correspondents(crypto);
    const change = { ...granting, kind: "grant", scopes: ["filesystem:read"] } as const;
    const { bytes } = await appendEntry(crypto, person.identity, NO_LEDGER, change);
    await person.mail.verifyLedger(agent.id, [bytes]);
    await take(person, agent, await write(person, agent, "x"));
    const news = { kind: "ledger", owner_id: person.id, comparison: "behind" };
    expect(agent.events).toEqual([news]);
    const { granted } = await agent.mail.verifyLedger(person.id, [bytes]);
    expect([...granted.keys()]).toEqual(["filesystem:read"]);
    await take(person, agent, await write(person, agent, "y"));
    expect(agent.events).toHaveLength(1);
    const shorter = agent.mail.verifyLedger(person.id, []);
    await expectRefused(shorter, "ledger_rolled_back");
  });

  it("is known to differ when the two were shown others, until they were shown the same", async () => {
    const { person, agent } = await correspondents(crypto);
    const entry = (scope: string, head = NO_LEDGER) =>
      appendEntry(crypto, person.identity, head, {
        ...granting,
        kind: "grant",
        scopes: [scope],
      });
    const told = async (from = agent) => {
      await take(from, person, await write(from, person, "x"));
      const events = person.events.splice(0);
      return events.flatMap((event) => (event.kind === "ledger" ? event.comparison : []));
    };
    const own = entry("filesystem:read");
    const theirs = entry("clipboard:read");
    await person.mail.verifyLedger(agent.id, [own.bytes]);
    await agent.mail.verifyLedger(person.id, [theirs.bytes]);
    expect(await told()).toEqual(["forked"]);
    expect(await told()).toEqual(["forked"]);
    await agent.records.save(new Map([[`peer ${person.id}`, null]]));
    const again = await agent.restart();
    const introduction = { level: "ratchet", conversationId: CONVERSATION_ID } as const;
    await again.mail.introduce(person.id, person.mail.card, introduction);
    expect(await told(again)).toEqual(["ahead"]);
    await again.mail.verifyLedger(person.id, [own.bytes]);
    expect(await told(again)).toEqual(["same"]);
    expect(await told(again)).toEqual([]);
  });
});
