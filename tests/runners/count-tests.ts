import { stripVTControlCharacters } from "node:util";

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface FailedTest {
  readonly file: string;
  readonly name: string;
  /** It waited until its time was over, and nothing else went wrong. */
  readonly timedOut: boolean;
}

/** The failed tests in a report of either kind; also empty if the report cannot be read. */
export function failedTests(report: unknown): FailedTest[] {
  return [...failedInVitest(report), ...failedInPlaywright(report)];
}

const UNFINISHED: TestCounts = { passed: 0, failed: 1, skipped: 0 };

/**
 * The counts in a test runner's JSON report (Vitest's or Playwright's). A report that is missing or
 * has no counts is one failure: a runner that did not finish has not passed.
 */
export function countsOf(report: unknown): TestCounts {
  const vitest = numbersIn(report, ["numPassedTests", "numFailedTests", "numPendingTests"]);
  if (vitest !== null) {
    const [passed, failed, skipped] = vitest;
    // A file that could not be loaded contains no tests to count.
    const unloaded = listIn(report, "testResults").filter(
      (file) =>
        textIn(file, "status") === "failed" && listIn(file, "assertionResults").length === 0,
    );
    return { passed, failed: failed + unloaded.length, skipped };
  }
  const playwright = numbersIn(fieldIn(report, "stats"), ["expected", "unexpected", "skipped"]);
  if (playwright === null) return UNFINISHED;
  const [passed, failed, skipped] = playwright;
  return { passed, failed, skipped };
}

function failedInVitest(report: unknown): FailedTest[] {
  return listIn(report, "testResults").flatMap((result) => {
    const file = textIn(result, "name");
    const tests = listIn(result, "assertionResults");
    if (tests.length === 0 && textIn(result, "status") === "failed") {
      return [{ file, name: "(the file does not load)", timedOut: false }];
    }
    return tests
      .filter((test) => textIn(test, "status") === "failed")
      .map((test) => ({ file, name: textIn(test, "fullName"), timedOut: false }));
  });
}

/**
 * How many tests a Playwright report has that should have run, and did not because one before them in
 * their group failed. They are among its skipped ones.
 */
export const testsNotRun = (report: unknown): number =>
  testsInPlaywright(report).filter(
    ({ test }) =>
      textIn(test, "status") === "skipped" && textIn(test, "expectedStatus") === "passed",
  ).length;

const failedInPlaywright = (report: unknown): FailedTest[] =>
  testsInPlaywright(report)
    .filter(({ test }) => textIn(test, "status") === "unexpected")
    .map(({ spec, test }) => ({
      file: textIn(spec, "file"),
      name: `${textIn(test, "projectName")}: ${textIn(spec, "title")}`,
      timedOut: listIn(test, "results").some(onlyWaited),
    }));

/** What Playwright says of a wait that the end of the test's time interrupted. */
const WAITED = /^(?:Test timeout of|Error: [^\n]*has been closed|Error: expect\(locator\))/;

/** A test may also find something while it ends: then it has not only waited. */
const onlyWaited = (result: unknown): boolean =>
  textIn(result, "status") === "timedOut" &&
  listIn(result, "errors").every((error) =>
    WAITED.test(stripVTControlCharacters(textIn(error, "message"))),
  );

function testsInPlaywright(suite: unknown): { spec: unknown; test: unknown }[] {
  const here = listIn(suite, "specs").flatMap((spec) =>
    listIn(spec, "tests").map((test) => ({ spec, test })),
  );
  return [...here, ...listIn(suite, "suites").flatMap(testsInPlaywright)];
}

function numbersIn(value: unknown, keys: readonly string[]): [number, number, number] | null {
  const [first, second, third] = keys.map((key) => fieldIn(value, key));
  return typeof first === "number" && typeof second === "number" && typeof third === "number"
    ? [first, second, third]
    : null;
}

function fieldIn(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}

function listIn(value: unknown, key: string): unknown[] {
  const list = fieldIn(value, key);
  return Array.isArray(list) ? list : [];
}

function textIn(value: unknown, key: string): string {
  const text = fieldIn(value, key);
  return typeof text === "string" ? text : "";
}
