import { describe, expect, it } from "vitest";
import { countsOf, failedTests } from "./count-tests.ts";

const UNIT = {
  numPassedTests: 5,
  numFailedTests: 1,
  numPendingTests: 2,
  testResults: [
    {
      name: "app/a.test.ts",
      status: "failed",
      assertionResults: [
        { status: "passed", fullName: "a holds" },
        { status: "failed", fullName: "a breaks" },
      ],
    },
    { name: "app/b.test.ts", status: "failed", assertionResults: [] },
  ],
};

const END_TO_END = {
  stats: { expected: 3, unexpected: 1, skipped: 4, flaky: 0 },
  suites: [
    {
      suites: [
        {
          specs: [
            {
              title: "a window opens",
              file: "windows.spec.ts",
              tests: [
                {
                  status: "unexpected",
                  projectName: "browser host",
                  results: [{ status: "timedOut" }],
                },
                { status: "expected", projectName: "desktop host" },
              ],
            },
          ],
        },
      ],
    },
  ],
};

describe("the closing line's numbers", () => {
  it("are those of both forms of report, with a file that does not load as a failure", () => {
    expect(countsOf(UNIT)).toEqual({ passed: 5, failed: 2, skipped: 2 });
    expect(countsOf(END_TO_END)).toEqual({ passed: 3, failed: 1, skipped: 4 });
  });

  it.each([[null], [{}], ["text"], [{ stats: {} }]])(
    "count a runner that left %j as a failure",
    (report) => {
      expect(countsOf(report)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    },
  );
});

describe("the failed tests", () => {
  it("are named from both forms of report", () => {
    expect(failedTests(UNIT)).toEqual([
      { file: "app/a.test.ts", name: "a breaks", timedOut: false },
      { file: "app/b.test.ts", name: "(the file does not load)", timedOut: false },
    ]);
    expect(failedTests(END_TO_END)).toEqual([
      { file: "windows.spec.ts", name: "browser host: a window opens", timedOut: true },
    ]);
  });

  it("are none in a report that cannot be read", () => {
    expect(failedTests(null)).toEqual([]);
  });
});
