import { expect, test } from "vitest";
import { callsOf, NO_CALLS } from "../../app/bridge/count-all.ts";
import { barParts, chartDays, DAY_MS } from "./chart-days.ts";

const day = (at: number, part = {}) => ({
  day: at * DAY_MS,
  ...NO_CALLS,
  ...part,
});

test("days without calls stand between those with calls", () => {
  const days = chartDays([day(3, { ok: 1 }), day(6, { error: 2 })]);
  expect(days.map((each) => [each.day / DAY_MS, callsOf(each)])).toEqual([
    [3, 1],
    [4, 0],
    [5, 0],
    [6, 2],
  ]);
  expect(chartDays([])).toEqual([]);
});

test("a clock that ran wild does not draw a thousand days", () => {
  const days = chartDays([day(3), day(5_000)]);
  expect(days).toHaveLength(31);
  expect(days.at(-1)?.day).toBe(5_000 * DAY_MS);
});

test("the parts of a bar add up to its share of the tallest", () => {
  expect(barParts(day(1, { ok: 3, interrupted: 1 }), 8)).toEqual([
    { part: "ok", percent: 37.5 },
    { part: "interrupted", percent: 12.5 },
  ]);
});
