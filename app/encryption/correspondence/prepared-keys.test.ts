import { describe, expect, it } from "vitest";
import { nodePrimitives } from "../../../crypto/node-primitives.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { correspondents } from "../testing/correspondents.ts";
import { take, write } from "../testing/mail.ts";
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

describe("keys that are prepared", () => {
  it("leaves an answer without any public-key work but its signature", async () => {
    const own = watched();
    const { person, agent } = await correspondents(own.crypto, "ratchet", own.later);
    const exchange = async () => {
      const call = await write(agent, person, "call");
      await own.turn();
      await take(agent, person, call);
      await own.turn();
      const before = own.took();
      const answer = await write(person, agent, "answer");
      const after = own.took();
      await own.turn();
      await take(person, agent, answer);
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
    prepared.forNext();
    expect(took().pairs).toBe(0);
    await turn();
    expect(took().pairs).toBe(1);
    const pair = await prepared.crypto.x25519Pair();
    expect(took().pairs).toBe(1);
    expect(await prepared.crypto.x25519Pair()).not.toEqual(pair);
    expect(took().pairs).toBe(2);
    prepared.forNext();
    await turn();
    expect(await prepared.crypto.x25519Pair()).not.toEqual(pair);
    expect(took().pairs).toBe(3);
  });

  it("is nothing that a message needs: they are opened all the same when no turn comes", async () => {
    const own = watched();
    const { person, agent } = await correspondents(own.crypto, "ratchet", own.later);
    for (const [from, to] of [
      [agent, person],
      [person, agent],
      [agent, person],
    ] as const) {
      expect(await take(from, to, await write(from, to, "x"))).toBe("x");
    }
  });

  it("is not stored: an end that stops between opening and answering makes it again", async () => {
    const { person, agent } = await correspondents(nodePrimitives);
    await take(agent, person, await write(agent, person, "call"));
    const later = await person.restart();
    expect(await take(later, agent, await write(later, agent, "answer"))).toBe("answer");
  });
});
