import {
  countsOf,
  type FailedTest,
  failedTests,
  type TestCounts,
  testsNotRun,
} from "./count-tests.ts";

/**
 * A single failure of these counts, because it may mean that something escaped, was lost or was
 * opened; not that a page came too late to look for that.
 */
const NEVER_TWICE = /(?:-race|killed-hub|mutations|attacks|no-plaintext)\.|tests\/durability\//;

/** More failures than this are not caused by a busy machine. */
const MOST = 5;

/**
 * The tests to run a second time by themselves, because a machine may have been too busy for a
 * browser or child process. Empty if there is nothing to run, or too much.
 */
export function worthSecondLook(report: unknown): FailedTest[] {
  const failed = failedTests(report);
  const isFinding = ({ file, timedOut }: FailedTest) => !timedOut && NEVER_TWICE.test(file);
  return failed.length > MOST || failed.some(isFinding) ? [] : failed;
}

/**
 * The counts, if `second` is the report of the second run of everything that failed in `first`, and of what did
 * not run because of it.
 */
export function afterSecondLook(first: unknown, second: unknown): TestCounts {
  const before = countsOf(first);
  const notRun = testsNotRun(first);
  const again = before.failed + notRun;
  const { passed, failed } = countsOf(second);
  if (failed > 0 || passed < again) return before;
  return { passed: before.passed + again, failed: 0, skipped: before.skipped - notRun };
}
