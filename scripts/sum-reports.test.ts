import { describe, expect, it } from "vitest";
import { sumReports } from "./sum-reports.ts";

describe("the closing line's numbers", () => {
  it("are the sum over both runners' reports", () => {
    const unit = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2 };
    const endToEnd = { stats: { expected: 3, unexpected: 1, skipped: 4, flaky: 1 } };
    expect(sumReports([unit, endToEnd])).toEqual({ passed: 8, failed: 3, skipped: 6 });
  });

  it.each([[null], [{}], ["text"], [{ stats: {} }]])(
    "count a runner that left %j as a failure",
    (report) => {
      expect(sumReports([report])).toEqual({ passed: 0, failed: 1, skipped: 0 });
    },
  );
});
