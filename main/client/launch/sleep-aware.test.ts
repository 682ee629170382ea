import { expect, it } from "vitest";
import { sleepAware } from "./system-time.ts";

const HOUR = 3_600_000;

function machine() {
  const at = { wall: 1_000_000, awake: 50, boot: 9_000 };
  const clock = sleepAware({
    wall: () => at.wall,
    awake: () => at.awake,
    sinceBoot: () => Math.floor(at.boot / 1_000) * 1_000,
  });
  const pass = (ms: number) => {
    at.wall += ms;
    at.awake += ms;
    at.boot += ms;
  };
  return { at, clock, pass };
}

it("counts sleep, which the awake clock does not", () => {
  const { at, clock, pass } = machine();
  pass(500);
  at.wall += 8 * HOUR;
  at.boot += 8 * HOUR;
  pass(500);
  expect(clock.now()).toBeCloseTo(50 + 1_000 + 8 * HOUR, -4);
});

it("does not count what somebody did to the wall clock", () => {
  const { at, clock, pass } = machine();
  for (const jump of [24 * HOUR, -48 * HOUR, 1_400]) {
    at.wall += jump;
    pass(100);
    clock.now();
  }
  expect(clock.now()).toBe(50 + 300);
});

it("never falls", () => {
  const { at, clock, pass } = machine();
  let before = clock.now();
  for (let turn = 0; turn < 100; turn += 1) {
    at.wall += (turn % 7) * HOUR - 3 * HOUR;
    pass(turn);
    expect(clock.now()).toBeGreaterThanOrEqual(before);
    before = clock.now();
  }
});
