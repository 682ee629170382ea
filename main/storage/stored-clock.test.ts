import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StoredClock } from "./stored-clock.ts";

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
    const mark = { highWater: START + YEAR, wall: START, passed: START };
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
  it("is the time that passed, whatever the wall clock does meanwhile", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { time, clock } = clockAt(START);
        let passed = 0;
        for (const { elapsed, jump } of all) {
          passed += elapsed;
          time.monotonic += elapsed;
          time.wall += elapsed + jump;
          expect(clock.safeNow()).toBe(START + passed);
        }
      }),
    );
  });

  it("counts across restarts what the wall clock counted between them, however wrong it is", () => {
    const off = fc.record({
      on: fc.nat(YEAR),
      jump: fc.integer({ min: -YEAR, max: YEAR }),
      off: fc.nat(YEAR),
    });
    fc.assert(
      fc.property(fc.array(off, { minLength: 1, maxLength: 10 }), (sessions) => {
        const { time, clock } = clockAt(START);
        let last = clock;
        let passed = 0;
        for (const session of sessions) {
          time.monotonic += session.on;
          time.wall += session.on + session.jump;
          const mark = last.mark();
          time.wall += session.off;
          last = new StoredClock({ now: () => time.wall }, { now: () => time.monotonic }, mark, 0);
          passed += session.on + session.off;
          expect(last.safeNow()).toBe(START + passed);
        }
      }),
    );
  });

  it("takes a clock set back meanwhile for no time at all, until it is set right", () => {
    const time = { wall: START + 1_000, monotonic: 0 };
    const mark = { highWater: START, wall: START + 5_000, passed: START };
    const clock = new StoredClock({ now: () => time.wall }, { now: () => time.monotonic }, mark, 0);
    expect(clock.safeNow()).toBe(START);
    time.monotonic += 100;
    time.wall += 100;
    expect(clock.safeNow()).toBe(START + 100);
    time.wall = START + 8_100;
    expect(clock.safeNow()).toBe(START + 3_100);
    time.wall += YEAR;
    expect(clock.safeNow()).toBe(START + 3_100);
  });
});
