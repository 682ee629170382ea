import { describe, expect, it } from "vitest";
import { nodePrimitives } from "../../../runtime/crypto/node-primitives.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { correspondents } from "../testing/correspondents.ts";
import { take, write } from "../testing/mail.ts";

/** Primitives that count derivations, and background jobs that run when the test says so. */
function watched() {
  const counted = { derived: 0 };
  const crypto: CryptoPrimitives = {
    ...nodePrimitives,
    hmacSha256: (...given) => {
      counted.derived += 1;
      return nodePrimitives.hmacSha256(...given);
    },
  };
  const jobs: (() => void)[] = [];
  const turn = async () => {
    for (const job of jobs.splice(0)) job();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { crypto, later: (job: () => void) => void jobs.push(job), turn, counted };
}

describe("the next message's keys", () => {
  it("are derived after a message, in a later turn, for both directions, and used once", async () => {
    const own = watched();
    const { person, agent } = await correspondents(own.crypto, "ratchet", own.later);
    const exchange = async () => {
      const call = await write(agent, person, "call");
      const before = own.counted.derived;
      await take(agent, person, call);
      const between = own.counted.derived;
      const answer = await write(person, agent, "answer");
      const after = own.counted.derived;
      await take(person, agent, answer);
      return { opening: between - before, sealing: after - between };
    };
    await exchange();
    const unprepared = await exchange();
    await own.turn();
    expect(await exchange()).toEqual({
      opening: unprepared.opening - 2,
      sealing: unprepared.sealing - 2,
    });
    expect(await exchange()).toEqual(unprepared);
  });

  it("are nothing that a message needs: it is opened all the same when no turn comes", async () => {
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

  it("are not stored: an end that stops between opening and answering derives them again", async () => {
    const { person, agent } = await correspondents(nodePrimitives);
    await take(agent, person, await write(agent, person, "call"));
    const later = await person.restart();
    expect(await take(later, agent, await write(later, agent, "answer"))).toBe("answer");
  });
});
