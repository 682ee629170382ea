export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Adds up the JSON reports of the test runners (Vitest's and Playwright's forms). A report that is
 * missing or has no counts is one failure: a runner that did not finish has not passed.
 */
export function sumReports(reports: readonly unknown[]): TestCounts {
  return reports.map(countsOf).reduce(
    (sum, each) => ({
      passed: sum.passed + each.passed,
      failed: sum.failed + each.failed,
      skipped: sum.skipped + each.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

const UNFINISHED: TestCounts = { passed: 0, failed: 1, skipped: 0 };

function countsOf(report: unknown): TestCounts {
  const vitest = numbersIn(report, ["numPassedTests", "numFailedTests", "numPendingTests"]);
  if (vitest !== null) return { passed: vitest[0], failed: vitest[1], skipped: vitest[2] };
  const stats =
    typeof report === "object" && report !== null && "stats" in report ? report.stats : null;
  const playwright = numbersIn(stats, ["expected", "unexpected", "skipped", "flaky"]);
  if (playwright === null) return UNFINISHED;
  const [expected, unexpected, skipped, flaky = 0] = playwright;
  // A test that needed a second try did not hold the first time.
  return { passed: expected, failed: unexpected + flaky, skipped };
}

function numbersIn(
  value: unknown,
  keys: readonly string[],
): [number, number, number, number?] | null {
  if (typeof value !== "object" || value === null) return null;
  const numbers = keys.map((key) => Object.entries(value).find(([name]) => name === key)?.[1]);
  const [first, second, third, fourth] = numbers;
  if (typeof first !== "number" || typeof second !== "number" || typeof third !== "number") {
    return null;
  }
  return typeof fourth === "number" ? [first, second, third, fourth] : [first, second, third];
}
