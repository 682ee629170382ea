import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StoredClock } from "./trusted-clock.ts";

const START = Date.UTC(2026, 0, 1);
const YEAR = 365 * 24 * 3_600_000;

/** Time passes by `elapsed`; meanwhile somebody moves the wall clock by `jump`. */
const steps = fc.array(
  fc.record({ elapsed: fc.nat(86_400_000), jump: fc.integer({ min: -YEAR, max: YEAR }) }),
  { minLength: 1, maxLength: 30 },
);

function clockAt(start: number) {
  const time = { wall: start, monotonic: 500 };
  const clock = new StoredClock(
    { now: () => time.wall },
    { now: () => time.monotonic },
    undefined,
    0,
  );
  return { time, clock };
}

describe("now", () => {
  it("never runs behind the time that passed, whatever the wall clock does", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { time, clock } = clockAt(START);
        let before = clock.now();
        for (const { elapsed, jump } of all) {
          time.monotonic += elapsed;
          time.wall += elapsed + jump;
          const now = clock.now();
          expect(now - before).toBeGreaterThanOrEqual(elapsed);
          expect(now).toBeGreaterThanOrEqual(time.wall);
          before = now;
        }
      }),
    );
  });

  it("never decreases across restarts, nor below the newest record", () => {
    fc.assert(
      fc.property(steps, fc.nat(2 * YEAR), (all, record) => {
        const { time, clock } = clockAt(START);
        let last = clock;
        let before = last.now();
        for (const { elapsed, jump } of all) {
          const mark = last.mark();
          time.wall += elapsed + jump;
          time.monotonic = 0;
          const wall = { now: () => time.wall };
          last = new StoredClock(wall, { now: () => time.monotonic }, mark, START + record);
          expect(last.now()).toBeGreaterThanOrEqual(Math.max(before, START + record));
          before = last.now();
        }
      }),
    );
  });

  it("counts the time the program was not running even while it is ahead of the wall clock", () => {
    const mark = { highWater: START + YEAR, wall: START };
    const clock = new StoredClock({ now: () => START + 1_000 }, { now: () => 0 }, mark, 0);
    expect(clock.now()).toBe(START + YEAR + 1_000);
  });

  it("does not stand still when it is asked more often than once a millisecond", () => {
    const { time, clock } = clockAt(START);
    time.wall = START - YEAR;
    for (let count = 0; count < 1_000; count += 1) {
      time.monotonic += 0.25;
      clock.now();
    }
    expect(clock.now()).toBe(START + 250);
  });
});

describe("safeNow", () => {
  it("never runs ahead of the time that passed, whatever the wall clock does", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { time, clock } = clockAt(START);
        let passed = 0;
        for (const { elapsed, jump } of all) {
          passed += elapsed;
          time.monotonic += elapsed;
          time.wall += elapsed + jump;
          expect(clock.safeNow()).toBeLessThanOrEqual(START + passed);
          expect(clock.safeNow()).toBeLessThanOrEqual(time.wall);
        }
      }),
    );
  });

  it("is the wall clock while nobody moves it", () => {
    const { time, clock } = clockAt(START);
    time.wall += 5_000;
    time.monotonic += 5_000;
    expect(clock.safeNow()).toBe(START + 5_000);
  });
});
