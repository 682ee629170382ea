import { linkSync, renameSync, symlinkSync, unlinkSync } from "node:fs";
import type { NeighbourStep } from "./neighbour.ts";

/**
 * For tests: another program active in the person's folders. Argument: `<lists of steps as JSON>`.
 */

/** Rounds between two checks of whether to stop. */
const ROUNDS = 50;

const lists = JSON.parse(process.argv[2] ?? "[]") as readonly (readonly NeighbourStep[])[];
const CALLS = { rename: renameSync, symlink: symlinkSync, link: linkSync, unlink: unlinkSync };

function take([call, one = "", other = ""]: NeighbourStep): void {
  try {
    CALLS[call](one, other);
  } catch {
    // Steps fail when the tested program interferes.
  }
}

let next = 0;
function goOn(): void {
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each list takes one step in turn, so that every state lasts as long as a round of the others.
    for (const steps of lists) {
      const step = steps[next % steps.length];
      if (step !== undefined) take(step);
    }
    next += 1;
  }
  setImmediate(goOn);
}

process.once("disconnect", () => process.exit(0));
goOn();
process.send?.("begun");
