import { describe, expect, it } from "vitest";
import { LIMITS } from "../contract/limits.ts";
import { endOf, heldForReading, isWatched, remainingOf, startedClock } from "./card-clock.ts";

const LIMIT = LIMITS.consentTimeoutMs;
const HOLD = LIMITS.readingHoldMs;

describe("a card's clock", () => {
  it("stands still for a moment when the person reads, then goes on from where it stood", () => {
    const clock = heldForReading(startedClock(LIMIT, 100), 10_100);
    expect(remainingOf(clock, 10_100)).toBe(LIMIT - 10_000);
    expect(remainingOf(clock, 10_100 + HOLD)).toBe(LIMIT - 10_000);
    expect(remainingOf(clock, 10_101 + HOLD)).toBe(LIMIT - 10_001);
    expect(endOf(clock)).toBe(100 + LIMIT + HOLD);
  });

  it("stands still for five minutes in all, however often a page says that somebody reads", () => {
    let clock = startedClock(LIMIT, 0);
    for (let now = 0; now < LIMITS.readingHoldsMs * 2; now += 50)
      clock = heldForReading(clock, now);
    expect(clock.held_ms).toBe(LIMITS.readingHoldsMs);
    expect(remainingOf(clock, LIMITS.readingHoldsMs)).toBe(LIMIT);
    expect(endOf(clock)).toBe(LIMIT + LIMITS.readingHoldsMs);
    expect(remainingOf(clock, LIMIT + LIMITS.readingHoldsMs)).toBe(0);
  });

  it("changes at most once a second, so that pages are not told more often", () => {
    const clock = heldForReading(startedClock(LIMIT, 0), 0);
    expect(heldForReading(clock, LIMITS.readingToldMs - 1)).toBe(clock);
    expect(heldForReading(clock, LIMITS.readingToldMs).held_until).toBe(
      LIMITS.readingToldMs + HOLD,
    );
  });

  it("does not come back when it has run out, and has nothing to hold without a limit", () => {
    const over = startedClock(LIMIT, 0);
    expect(heldForReading(over, LIMIT)).toBe(over);
    const untimed = startedClock(null, 0);
    expect(heldForReading(untimed, 5)).toBe(untimed);
    expect([remainingOf(untimed, 5), endOf(untimed)]).toEqual([null, null]);
  });
});

it("is watched when it runs out shortly after a sign of reading, and not when the person was gone by then", () => {
  const untouched = startedClock(LIMIT, 0);
  expect(isWatched(untouched, LIMIT)).toBe(false);
  const read = heldForReading(untouched, 100);
  const left = read.held_until + LIMITS.consentTimeoutMs;
  expect(isWatched(read, left)).toBe(true);
  expect(isWatched(read, left + 1)).toBe(false);
});
