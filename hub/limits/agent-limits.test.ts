import fc from "fast-check";
import { expect, test } from "vitest";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import { RollingLimit } from "./agent-limits.ts";

const WINDOW_MS = 60_000;

test("agents have a window each", () => {
  const limit = new RollingLimit({ most: 1, withinMs: WINDOW_MS }, new ManualTime());
  limit.count("a", "1");
  expect([limit.mustWait("a", "2"), limit.mustWait("b", "2")]).toEqual([WINDOW_MS, undefined]);
});

test("a call counts once under its id, and not at all when it was withdrawn", () => {
  const limit = new RollingLimit({ most: 2, withinMs: WINDOW_MS }, new ManualTime());
  for (const id of ["1", "1", "2"]) limit.count("a", id);
  expect([limit.mustWait("a", "1"), limit.mustWait("a", "3")]).toEqual([undefined, WINDOW_MS]);
  limit.takeBack("a", "2");
  expect(limit.mustWait("a", "3")).toBeUndefined();
});

test("a time between two milliseconds is never rounded to too early", () => {
  let now = 0.75;
  const limit = new RollingLimit({ most: 1, withinMs: WINDOW_MS }, { now: () => now });
  limit.count("a", "1");
  now = 1.5;
  now += limit.mustWait("a", "2") ?? 0;
  expect(limit.mustWait("a", "2")).toBeUndefined();
});

test("agents that were quiet for a minute are forgotten", () => {
  const time = new ManualTime();
  const limit = new RollingLimit({ most: 60, withinMs: WINDOW_MS }, time);
  for (let agent = 0; agent < 500; agent += 1) limit.count(`agent-${agent}`, "1");
  expect(limit.size).toBe(500);
  time.pass(WINDOW_MS);
  limit.count("agent-7", "2");
  expect(limit.size).toBe(1);
});

test("no minute ever has more than the limit, and a retry at the given time is accepted", () => {
  const steps = fc.array(fc.integer({ min: 0, max: 25_000 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), steps, (perMinute, passing) => {
      const time = new ManualTime();
      const limit = new RollingLimit({ most: perMinute, withinMs: WINDOW_MS }, time);
      const taken: number[] = [];
      for (const [step, ms] of passing.entries()) {
        time.pass(ms);
        const now = time.now();
        const wait = limit.mustWait("a", `${step}`);
        const inWindow = taken.filter((at) => at + WINDOW_MS > now);
        expect(wait === undefined).toBe(inWindow.length < perMinute);
        if (wait === undefined) {
          limit.count("a", `${step}`);
          taken.push(now);
        } else {
          expect(wait).toBe(Number(inWindow[0]) + WINDOW_MS - now);
        }
      }
    }),
  );
});

test("a heavier item waits until enough earlier ones have left the window", () => {
  const time = new ManualTime();
  const limit = new RollingLimit({ most: 10, withinMs: WINDOW_MS }, time);
  limit.count("a", "1", 4);
  time.pass(1_000);
  limit.count("a", "2", 4);
  expect(limit.mustWait("a", "3", 2)).toBeUndefined();
  expect(limit.mustWait("a", "3", 3)).toBe(WINDOW_MS - 1_000);
  expect(limit.mustWait("a", "3", 7)).toBe(WINDOW_MS);
  limit.takeBack("a", "2");
  expect(limit.mustWait("a", "3", 6)).toBeUndefined();
});

test("an item above the whole limit is accepted alone, and never with another", () => {
  const time = new ManualTime();
  const limit = new RollingLimit({ most: 10, withinMs: WINDOW_MS }, time);
  expect(limit.mustWait("a", "1", 11)).toBeUndefined();
  limit.count("a", "2");
  expect(limit.mustWait("a", "1", 11)).toBe(WINDOW_MS);
});

test("without a limit everything is accepted and nothing remembered", () => {
  const most = Number.POSITIVE_INFINITY;
  const limit = new RollingLimit({ most, withinMs: WINDOW_MS }, new ManualTime());
  for (let item = 0; item < 100; item += 1) limit.count("a", `${item}`, Number.MAX_SAFE_INTEGER);
  expect([limit.mustWait("a", "next", Number.MAX_SAFE_INTEGER), limit.size]).toEqual([
    undefined,
    0,
  ]);
});
