import { expect, test } from "vitest";
import { barParts, chartDays, countOf, DAY_MS } from "./chart-days.ts";

const day = (at: number, part = {}) => ({
  day: at * DAY_MS,
  ok: 0,
  denied: 0,
  error: 0,
  interrupted: 0,
  ...part,
});

test("days without calls stand between those with calls", () => {
  const days = chartDays([day(3, { ok: 1 }), day(6, { error: 2 })]);
  expect(days.map((each) => [each.day / DAY_MS, countOf(each)])).toEqual([
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
