import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { toBase64 } from "../../contract/base64.ts";
import { RATCHET_RULES } from "../ratchet/ratchet-state.ts";
import { acquaint, CONVERSATION_ID, correspondents, testEnd } from "../testing/correspondents.ts";
import { expectRefused, open, take, write } from "../testing/mail.ts";

const { setAside } = RATCHET_RULES;
const bytes = (text: string) => new TextEncoder().encode(text);

describe.each(["ratchet", "sealed"] as const)("a relation under %s", (level) => {
  it("carries messages both ways, in the order in which they were handed in", async () => {
    const { person, agent } = await correspondents(crypto, level);
    const wires = await Promise.all(["1", "2", "3"].map((text) => write(agent, person, text)));
    const texts = await Promise.all(wires.map((wire) => take(agent, person, wire)));
    expect(texts).toEqual(["1", "2", "3"]);
    expect(await take(person, agent, await write(person, agent, "back"))).toBe("back");
  });

  it("refuses what is not encrypted", async () => {
    const { person, agent } = await correspondents(crypto, level);
    const plain = toBase64(Uint8Array.of(0, ...bytes("hello")));
    await expectRefused(take(agent, person, plain), "downgraded");
    await expectRefused(take(person, agent, plain), "downgraded");
    await expectRefused(take(agent, person, "not base64"), "malformed");
  });

  it("opens an envelope again until it is dealt with, also after a restart", async () => {
    const { person, agent } = await correspondents(crypto, level);
    const wire = await write(agent, person, "once");
    expect(await take(agent, person, wire)).toBe("once");
    const again = await person.restart();
    const opened = await open(agent, again, wire);
    expect(new TextDecoder().decode(opened.plaintext)).toBe("once");
    await opened.done();
    await expectRefused(take(agent, again, wire), "replayed");
    await expectRefused(take(agent, await again.restart(), wire), "replayed");
  });

  it("gives what is kept for its own conversation, sender and kind only", async () => {
    const { person, agent } = await correspondents(crypto, level);
    const wire = await write(agent, person, "once");
    await take(agent, person, wire);
    await expectRefused(take(agent, person, wire, "another"), "wrong_conversation");
    const other = { conversation_id: CONVERSATION_ID, sender_id: agent.id, kind: "artifact" };
    await expectRefused(person.mail.open(wire, other), "wrong_kind");
  });

  it("goes on after both ends were started again", async () => {
    const { person, agent } = await correspondents(crypto, level);
    await take(agent, person, await write(agent, person, "before"));
    const [later, also] = [await agent.restart(), await person.restart()];
    expect(await take(later, also, await write(later, also, "after"))).toBe("after");
    expect(await take(also, later, await write(also, later, "back"))).toBe("back");
  });

  it("is for its two ends alone", async () => {
    const { world, person, agent } = await correspondents(crypto, level);
    const stranger = await testEnd(world, "agent-2", "agent");
    await expectRefused(write(agent, stranger, "x"), "wrong_recipient");
    await expectRefused(take(stranger, person, await write(agent, person, "x")), "wrong_sender");
  });

  it("keeps its level and its conversation", async () => {
    const { person, agent } = await correspondents(crypto, level);
    const other = level === "ratchet" ? "sealed" : "ratchet";
    await expectRefused(acquaint(person, agent, other, CONVERSATION_ID), "downgraded");
    await expectRefused(acquaint(person, agent, level, "another"), "wrong_conversation");
  });

  it("says how many messages never came", async () => {
    const { person, agent } = await correspondents(crypto, level);
    await write(agent, person, "lost");
    await write(agent, person, "lost too");
    await take(agent, person, await write(agent, person, "third"));
    expect(person.events).toEqual([
      { kind: "missed", conversation_id: CONVERSATION_ID, owner_id: agent.id, count: 2 },
    ]);
  });

  it("seals nothing while it could not be kept, and goes on from what was", async () => {
    const { person, agent } = await correspondents(crypto, level);
    for (let at = 0; at < setAside; at += 1) {
      await take(agent, person, await write(agent, person, "before"));
    }
    agent.records.isBroken = true;
    const lost = await Promise.allSettled(["x", "y"].map((text) => write(agent, person, text)));
    expect(lost.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expectRefused(write(agent, person, "z"), "storage_failed");
    agent.records.isBroken = false;
    expect(await take(agent, person, await write(agent, person, "after"))).toBe("after");
    expect(await take(person, agent, await write(person, agent, "back"))).toBe("back");
    // No number that was sent is missing.
    expect(person.events).toEqual([]);
  });

  it("stores once for several messages, before the first of them leaves", async () => {
    const { person, agent } = await correspondents(crypto, level);
    await take(agent, person, await write(agent, person, "begins"));
    await agent.mail.close();
    const before = agent.records.saves;
    const wires = [];
    for (let at = 0; at < setAside; at += 1) {
      wires.push(await write(agent, person, String(at)));
      expect(agent.records.saves).toBe(before + 1);
    }
    wires.push(await write(agent, person, "beyond"));
    expect(agent.records.saves).toBe(before + 2);
    for (const wire of wires) await take(agent, person, wire);
    expect(person.events).toEqual([]);
  });

  it("waits for what is set aside, in all messages that need it", async () => {
    const { person, agent } = await correspondents(crypto, level);
    for (let at = 0; at < setAside; at += 1) await write(agent, person, "before");
    agent.records.isBroken = true;
    const sealed = await Promise.allSettled([1, 2, 3].map(() => write(agent, person, "x")));
    expect(sealed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });

  it("uses no number twice after a crash, and leaves none out after an end", async () => {
    const { person, agent } = await correspondents(crypto, level);
    for (const text of ["one", "two"]) await take(agent, person, await write(agent, person, text));
    const crashed = await agent.restart();
    expect(await take(agent, person, await write(crashed, person, "three"))).toBe("three");
    const count = setAside - 2;
    expect(person.events).toMatchObject([{ kind: "missed", owner_id: agent.id, count }]);
    await crashed.mail.close();
    const ended = await crashed.restart();
    expect(await take(agent, person, await write(ended, person, "four"))).toBe("four");
    expect(person.events).toHaveLength(1);
  });

  it("opens an envelope again that could not be kept, once it can be", async () => {
    const { person, agent } = await correspondents(crypto, level);
    const wire = await write(agent, person, "x");
    person.records.isBroken = true;
    const unkept = await open(agent, person, wire);
    await expectRefused(unkept.kept(), "storage_failed");
    await expectRefused(unkept.done(), "storage_failed");
    await expectRefused(write(person, agent, "answer"), "storage_failed");
    await expectRefused(take(agent, person, wire), "storage_failed");
    person.records.isBroken = false;
    const opened = await open(agent, person, wire);
    await opened.done();
    await expectRefused(take(agent, person, wire), "replayed");
    expect(await take(agent, await person.restart(), await write(agent, person, "y"))).toBe("y");
  });
});

describe("a conversation that belongs to no relation", () => {
  it("is a group: sealed, for everybody in it, with cards from the directory", async () => {
    const { world, person, agent } = await correspondents(crypto);
    const other = await testEnd(world, "agent-2", "agent");
    const context = { conversation_id: "group-1", kind: "text", call_id: null };
    const recipient_ids = [person.id, other.id];
    const wire = await agent.mail.seal(bytes("to all"), { ...context, recipient_ids });
    expect(await take(agent, person, wire, "group-1")).toBe("to all");
    expect(await take(agent, other, wire, "group-1")).toBe("to all");
    const moved = take(agent, person, wire, CONVERSATION_ID);
    await expectRefused(moved, "wrong_conversation");
  });

  it("leaves out whoever has no keys, says so, and looks again after a minute", async () => {
    const { world, person, agent } = await correspondents(crypto);
    const context = { conversation_id: "group-1", kind: "text", call_id: null };
    const recipient_ids = ["agent-2", person.id];
    const seal = (text: string) => agent.mail.seal(bytes(text), { ...context, recipient_ids });
    expect(await take(agent, person, await seal("to some"), "group-1")).toBe("to some");
    const leftOut = { kind: "left_out", conversation_id: "group-1", owner_ids: ["agent-2"] };
    expect(agent.events).toEqual([leftOut]);
    const late = await testEnd(world, "agent-2", "agent");
    const missed = await seal("still not");
    await expectRefused(take(agent, late, missed, "group-1"), "wrong_recipient");
    world.now += 60_000;
    expect(await take(agent, late, await seal("to all"), "group-1")).toBe("to all");
    expect(agent.events).toEqual([leftOut, leftOut]);
  });

  it("waits for whoever has another key, and is not sealed for nobody", async () => {
    const { world, person, agent } = await correspondents(crypto);
    const context = { conversation_id: "group-1", kind: "text", call_id: null };
    const seal = (...recipient_ids: readonly string[]) =>
      agent.mail.seal(bytes("x"), { ...context, recipient_ids });
    await expectRefused(seal("agent-2"), "keys_missing");
    const met = await testEnd(world, "agent-2", "agent");
    await agent.mail.introduce("agent-2", met.mail.card, null);
    await seal("agent-2", person.id);
    const another = await testEnd(world, "agent-2", "agent");
    await agent.mail.introduce("agent-2", another.mail.card, null);
    await expectRefused(seal("agent-2", person.id), "key_changed");
    expect(agent.events).toMatchObject([{ kind: "key_changed" }]);
  });
});
