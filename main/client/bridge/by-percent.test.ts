import { expect, it } from "vitest";
import { byPercent } from "./by-percent.ts";

it("reports a progress of ten thousand steps a hundred times", () => {
  const told: number[] = [];
  const progress = byPercent((done) => told.push(done));
  for (let done = 1; done <= 10_000; done += 1) progress(done, 10_000);
  expect(told).toHaveLength(100);
  expect(told.at(0)).toBe(100);
  expect(told.at(-1)).toBe(10_000);
});

it("reports every step of a short one", () => {
  const told: number[] = [];
  const progress = byPercent((done) => told.push(done));
  for (const done of [1, 2, 3]) progress(done, 3);
  expect(told).toEqual([1, 2, 3]);
});
