import { expect, test } from "vitest";
import {
  announcedAt,
  countdownOf,
  fractionLeft,
  remainingAt,
  secondsShown,
  standsStill,
} from "./countdown.ts";

test("the time left counts from when the card was received, on the monotonic clock", () => {
  const countdown = countdownOf(30_000, 12_000, 5_000);
  expect(remainingAt(countdown, 5_000)).toBe(12_000);
  expect(remainingAt(countdown, 10_500)).toBe(6_500);
  expect(remainingAt(countdown, 17_000)).toBe(0);
  expect(remainingAt(countdown, 99_000)).toBe(0);
});

test("a card that was not seen keeps its whole time", () => {
  expect(remainingAt(countdownOf(30_000, null, 5_000), 999_999)).toBe(30_000);
});

test("it stands still for as long as the host said, then goes on", () => {
  const countdown = countdownOf(30_000, 12_000, 5_000, 3_000);
  expect([5_000, 8_000, 9_000].map((now) => remainingAt(countdown, now))).toEqual([
    12_000, 12_000, 11_000,
  ]);
  expect([7_999, 8_000].map((now) => standsStill(countdown, now))).toEqual([true, false]);
  expect(standsStill(countdownOf(30_000, null, 5_000, 3_000), 5_000)).toBe(false);
});

test("more than the whole time is never shown", () => {
  expect(remainingAt(countdownOf(30_000, 31_000, 0), 0)).toBe(30_000);
});

test("the number reaches zero only when the time is over", () => {
  expect([30_000, 29_999, 1, 0].map(secondsShown)).toEqual([30, 30, 1, 0]);
});

test("the ring is between empty and full", () => {
  expect([fractionLeft(30_000, 15_000), fractionLeft(30_000, 40_000), fractionLeft(0, 5)]).toEqual([
    0.5, 1, 0,
  ]);
});

test("the start, 10 s and 5 s are announced once each, also when a tick was missed", () => {
  const shown = [30, 29, 11, 10, 9, 6, 4, 3, 0];
  const said = shown.map((now, index) => announcedAt(shown[index - 1] ?? null, now));
  expect(said).toEqual([30, null, null, 10, null, null, 4, null, null]);
});
