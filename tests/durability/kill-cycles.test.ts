import { expect, it } from "vitest";
import { runKillCycles } from "./kill-cycles.ts";

it("loses no acknowledged record to kill -9, whatever the store was doing", {
  timeout: 120_000,
}, async () => {
  const options = { cycles: 30, records: 1_000, seed: "suite", lanes: 1 };
  const report = await runKillCycles(options, () => {});
  expect(report.faults).toEqual([]);
  expect(report.acknowledged).toBeGreaterThanOrEqual(1_000);
  expect(report.checked).toBeGreaterThanOrEqual(report.acknowledged);
  expect(report.full_checks).toBe(report.folders);
  const { killed_while, cycles, ended_before_the_kill } = report;
  const killed = Object.values(killed_while).reduce((sum, each) => sum + each, 0);
  expect(killed + ended_before_the_kill).toBe(cycles);
  expect(killed_while.writing).toBeGreaterThan(0);
});
