import { expect, it } from "vitest";
import { ManualTime } from "../../../app/contract/testing/manual-time.ts";
import { giveMemoryBack, ownMemory } from "./maintenance.ts";

const LOOK_MS = 30_000;

function watched() {
  const time = new ManualTime();
  let used = 5_000;
  let collected = 0;
  let rested = 0;
  const memory = {
    usedMs: () => used,
    collect() {
      collected += 1;
    },
    rest() {
      rested += 1;
    },
  };
  const stop = giveMemoryBack(memory, time);
  return {
    time,
    stop,
    rested: () => rested,
    /** Lets time pass in which the program works that many milliseconds; how often it collected by now. */
    passes(worksMs: number): number {
      used += worksMs;
      time.pass(LOOK_MS);
      return collected;
    },
  };
}

it("gives memory back once the program is quiet, and again only after it has worked", () => {
  const { passes, rested } = watched();
  expect(passes(4_000)).toBe(0);
  expect(passes(0)).toBe(1);
  expect(passes(100)).toBe(1);
  expect(passes(20_000)).toBe(1);
  expect(passes(20_000)).toBe(1);
  expect(passes(100)).toBe(2);
  expect(passes(0)).toBe(2);
  // Threads rest by their own work, at each look.
  expect(rested()).toBe(7);
});

it("does not look any more when it is stopped", () => {
  const { time, stop } = watched();
  stop();
  expect(time.pending).toBe(0);
});

it("collects what this process left behind, and leaves no collector to other code", () => {
  const left = new WeakRef({ large: new Array(1_000_000).fill(0.5) });
  return new Promise((resolve) => setImmediate(resolve)).then(() => {
    ownMemory([]).collect();
    expect(left.deref()).toBeUndefined();
    expect("gc" in globalThis).toBe(false);
  });
});
