import fc from "fast-check";
import { expect, it } from "vitest";
import { BEGIN_TOGETHER, Turns } from "./turns.ts";

/** An event loop whose turns a test takes. */
function steppedTurns() {
  const jobs: (() => void)[] = [];
  const began: string[] = [];
  const turns = new Turns((job) => jobs.push(job));
  return {
    began,
    ask: (owner: string) => turns.next(owner).then(() => void began.push(owner)),
    /** @returns what began in it */
    async turn() {
      const before = began.length;
      for (const job of jobs.splice(0)) job();
      await Promise.resolve();
      return began.slice(before);
    },
    get isIdle() {
      return jobs.length === 0;
    },
  };
}

const backlogs = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 8 });

it("lets a new owner begin after at most as many others as there are owners waiting", () =>
  fc.assert(
    fc.asyncProperty(backlogs, fc.nat(20), async (sizes, passed) => {
      const { ask, turn, began } = steppedTurns();
      for (const [owner, size] of sizes.entries()) {
        for (let at = 0; at < size; at += 1) void ask(`owner ${owner}`);
      }
      await Promise.resolve();
      for (let at = 0; at < passed; at += 1) await turn();
      const before = began.length;
      void ask("new");
      while (!began.includes("new")) await turn();
      expect(began.indexOf("new") - before).toBeLessThanOrEqual(sizes.length);
    }),
  ));

it("lets a bounded number begin in one turn, and all of them in the end", () =>
  fc.assert(
    fc.asyncProperty(backlogs, async (sizes) => {
      const rig = steppedTurns();
      for (const [owner, size] of sizes.entries()) {
        for (let at = 0; at < size; at += 1) void rig.ask(`owner ${owner}`);
      }
      await Promise.resolve();
      expect(rig.began.length).toBeLessThanOrEqual(BEGIN_TOGETHER);
      while (!rig.isIdle) expect((await rig.turn()).length).toBeLessThanOrEqual(BEGIN_TOGETHER);
      expect(rig.began).toHaveLength(sizes.reduce((sum, size) => sum + size, 0));
    }),
  ));

it("lets begin at once what comes alone", async () => {
  const { ask, turn, began } = steppedTurns();
  await ask("a");
  await turn();
  await ask("b");
  expect(began).toEqual(["a", "b"]);
});
