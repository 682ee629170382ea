import { expect, it } from "vitest";
import { hasPostgres } from "../test-postgres.ts";
import { runFleet } from "./run-fleet.ts";

it.runIf(hasPostgres)(
  "three nodes lose, repeat and reorder nothing while they fail",
  {
    timeout: 180_000,
  },
  async () => {
    const options = { messages: 2_000, seconds: 20, faultEveryMs: 1_000 };
    const report = await runFleet(options, () => undefined);
    expect(report.wrong).toEqual([]);
    expect(report.acknowledged).toBeGreaterThanOrEqual(2_000);
    expect(report.delivered).toBeGreaterThanOrEqual(report.acknowledged);
    expect(Object.keys(report.faults).length).toBeGreaterThan(0);
  },
);
