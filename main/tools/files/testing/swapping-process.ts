import { linkSync, renameSync, symlinkSync, unlinkSync } from "node:fs";
import { assertNever } from "../../../../app/contract/assert-never.ts";
import type { Swap } from "./swap.ts";

/**
 * For tests: another program active in the person's folders. Argument: `<swaps as JSON>`. It prints
 * `"begun"`, swaps until it receives anything, then prints how often each swap was done, and ends.
 */

/** Rounds between two checks of whether to stop. */
const ROUNDS = 200;

const swaps = JSON.parse(process.argv[2] ?? "[]") as readonly Swap[];
const done = swaps.map(() => 0);

/** One endless swap, step by step. */
function* steps(swap: Swap, count: () => void): Generator<void, never> {
  for (;;) {
    yield* swapOnce(swap);
    count();
  }
}

function* swapOnce(swap: Swap): Generator<void, void> {
  const { place, away } = swap;
  switch (swap.kind) {
    case "link":
      yield renameSync(place, away);
      yield symlinkSync(swap.bait, place);
      unlinkSync(place);
      yield renameSync(away, place);
      return;
    case "over":
      linkSync(place, away);
      symlinkSync(swap.bait, `${away}-new`);
      yield renameSync(`${away}-new`, place);
      yield renameSync(away, place);
      return;
    case "fifo":
      linkSync(place, away);
      linkSync(swap.fifo, `${away}-new`);
      yield renameSync(`${away}-new`, place);
      yield renameSync(away, place);
      return;
    case "move":
      yield renameSync(place, away);
      yield renameSync(away, place);
      return;
    default:
      assertNever(swap);
  }
}

// Each takes one step in turn, so that every state lasts as long as a round of the others.
const running = swaps.map((swap, index) =>
  steps(swap, () => {
    done[index] = (done[index] ?? 0) + 1;
  }),
);

function swapOn(): void {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const one of running) one.next();
  }
  next = setImmediate(swapOn);
}

let next = setImmediate(swapOn);
process.send?.("begun");
process.once("message", () => {
  clearImmediate(next);
  process.send?.(done, () => process.disconnect());
});
process.once("disconnect", () => process.exit(0));
