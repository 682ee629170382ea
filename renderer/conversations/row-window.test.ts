import { expect, test } from "vitest";
import { OVERSCAN, RowHeights, runsOf } from "./row-window.ts";

const keys = Array.from({ length: 1_000 }, (_, index) => `row-${index}`);
const ten = { of: () => 10 };
const tall = (runs: ReturnType<typeof runsOf>): number =>
  runs.reduce((sum, run) => sum + (run.kind === "gap" ? run.height : 10), 0);

test("only what is seen and a little around it is drawn; the gaps keep the list as tall", () => {
  const runs = runsOf(keys, ten, { top: 5_000, height: 300 }, null);
  const rows = runs.filter(({ kind }) => kind === "row");
  expect(rows.length).toBeLessThanOrEqual((300 + 2 * OVERSCAN) / 10 + 2);
  expect(rows[0]).toEqual({ kind: "row", index: (5_000 - OVERSCAN) / 10 - 1 });
  expect(tall(runs)).toBe(10_000);
});

test("the pinned row is drawn wherever it is", () => {
  const runs = runsOf(keys, ten, { top: 0, height: 300 }, "row-900");
  expect(runs.slice(-3)).toEqual([
    { kind: "gap", height: (900 - 92 + 1) * 10 - 10 * 0, before: 900 },
    { kind: "row", index: 900 },
    { kind: "gap", height: 990, before: 1_000 },
  ]);
  expect(tall(runs)).toBe(10_000);
});

test("a list that fits is drawn whole", () => {
  expect(runsOf(["a", "b"], ten, { top: 0, height: 300 }, null)).toEqual([
    { kind: "row", index: 0 },
    { kind: "row", index: 1 },
  ]);
  expect(runsOf([], ten, { top: 0, height: 300 }, null)).toEqual([]);
});

test("a row that was not drawn yet is taken to be as tall as the others on average", () => {
  const heights = new RowHeights(50);
  expect(heights.of("a")).toBe(50);
  expect(heights.measure("a", 20)).toBe(true);
  expect(heights.measure("b", 40)).toBe(true);
  expect(heights.of("c")).toBe(30);
  expect(heights.measure("b", 40)).toBe(false);
  expect(heights.measure("b", 60)).toBe(true);
  expect([heights.of("a"), heights.of("b"), heights.of("c")]).toEqual([20, 60, 40]);
});
