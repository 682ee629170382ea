import { type FailedTest, failedTests, sumReports, type TestCounts } from "./sum-reports.ts";

/** One failure of these is a finding, however seldom: something escaped, was lost or was opened. */
const NEVER_TWICE = /(?:-race|killed-hub|mutations|attacks|no-plaintext)\.|scripts\/durability\//;

/** So many failures are no crowded machine's. */
const MOST = 5;

/**
 * The tests that deserve a second run by themselves: a machine that was too busy for a browser or a
 * child process is no fault of the project. None when there is nothing to run, or too much.
 */
export function worthSecondLook(report: unknown): FailedTest[] {
  const failed = failedTests(report);
  const excusable = failed.length <= MOST && !failed.some(({ file }) => NEVER_TWICE.test(file));
  return excusable ? failed : [];
}

/** The counts when `second` is the report of the second run of all that failed in `first`. */
export function afterSecondLook(first: unknown, second: unknown): TestCounts {
  const before = sumReports([first]);
  const { passed, failed } = sumReports([second]);
  if (failed > 0 || passed < before.failed) return before;
  return { passed: before.passed + before.failed, failed: 0, skipped: before.skipped };
}
