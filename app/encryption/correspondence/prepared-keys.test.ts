import { describe, expect, it } from "vitest";
import { nodePrimitives } from "../../../crypto/node-primitives.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { CONVERSATION_ID, correspondents } from "../testing/correspondents.ts";
import { PreparedKeys } from "./prepared-keys.ts";

/**
 * Primitives that count public-key operations, and background jobs that run when the test says so.
 */
function watched() {
  const counted = { pairs: 0, agreements: 0 };
  const crypto: CryptoPrimitives = {
    ...nodePrimitives,
    x25519Pair: () => {
      counted.pairs += 1;
      return nodePrimitives.x25519Pair();
    },
    x25519: (...given) => {
      counted.agreements += 1;
      return nodePrimitives.x25519(...given);
    },
  };
  const jobs: (() => void)[] = [];
  const turn = async () => {
    for (const job of jobs.splice(0)) job();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const took = () => ({ ...counted });
  return { crypto, later: (job: () => void) => void jobs.push(job), turn, took };
}

const about = { conversation_id: CONVERSATION_ID, kind: "text" };

describe("keys that are prepared", () => {
  it("leaves an answer without any public-key work but its signature", async () => {
    const own = watched();
    const { person, agent } = await correspondents(own.crypto, "ratchet", own.later);
    const exchange = async () => {
      const to = { ...about, recipient_ids: [person.id], call_id: null };
      const call = await agent.mail.seal(Uint8Array.of(1), to);
      await own.turn();
      await person.mail.open(call, { ...about, sender_id: agent.id });
      await own.turn();
      const before = own.took();
      const back = { ...about, recipient_ids: [agent.id], call_id: null };
      const answer = await person.mail.seal(Uint8Array.of(2), back);
      const after = own.took();
      await own.turn();
      await agent.mail.open(answer, { ...about, sender_id: person.id });
      await own.turn();
      return { before, after };
    };
    await exchange();
    const { before, after } = await exchange();
    expect(after).toEqual(before);
  });

  it("is handed out once, and made again only in a later turn", async () => {
    const { crypto, later, turn, took } = watched();
    const prepared = new PreparedKeys({ crypto, later });
    const { agent } = await correspondents(nodePrimitives);
    const { card } = agent.identity;
    expect(prepared.takeWrapKey(card)).toBeUndefined();
    prepared.forNext(card);
    expect(took().pairs).toBe(0);
    await turn();
    const [first, again] = [prepared.takeWrapKey(card), prepared.takeWrapKey(card)];
    expect(first).toBeDefined();
    expect(again).toBeUndefined();
    const made = took().pairs;
    const pair = await prepared.crypto.x25519Pair();
    expect(took().pairs).toBe(made);
    expect(await prepared.crypto.x25519Pair()).not.toEqual(pair);
    expect(took().pairs).toBe(made + 1);
    prepared.forNext(card);
    await turn();
    expect(prepared.takeWrapKey(card)?.ephemeralKey).not.toEqual(first?.ephemeralKey);
  });

  it("is nothing that a message needs: they are opened all the same when no turn comes", async () => {
    const own = watched();
    const { person, agent } = await correspondents(own.crypto, "ratchet", own.later);
    for (const [from, to] of [
      [agent, person],
      [person, agent],
      [agent, person],
    ] as const) {
      const context = { ...about, recipient_ids: [to.id], call_id: null };
      const sent = await from.mail.seal(Uint8Array.of(7), context);
      const opened = await to.mail.open(sent, { ...about, sender_id: from.id });
      expect(opened.plaintext).toEqual(Uint8Array.of(7));
    }
  });

  it("is not stored: an end that stops between opening and answering makes it again", async () => {
    const { person, agent } = await correspondents(nodePrimitives);
    const to = { ...about, recipient_ids: [person.id], call_id: null };
    const call = await agent.mail.seal(Uint8Array.of(1), to);
    await person.mail.open(call, { ...about, sender_id: agent.id });
    const later = await person.restart();
    const back = { ...about, recipient_ids: [agent.id], call_id: null };
    const answer = await later.mail.seal(Uint8Array.of(2), back);
    const opened = await agent.mail.open(answer, { ...about, sender_id: person.id });
    expect(opened.plaintext).toEqual(Uint8Array.of(2));
  });
});
