import { describe, expect, it } from "vitest";
import { afterSecondLook, worthSecondLook } from "./second-look.ts";

function report(failed: readonly string[], passed = 3) {
  return {
    numPassedTests: passed,
    numFailedTests: failed.length,
    numPendingTests: 1,
    testResults: failed.map((name) => ({
      name,
      status: "failed",
      assertionResults: [{ status: "failed", fullName: "it holds" }],
    })),
  };
}

/** As Playwright 1.65 words them, with colours. */
const OVER = "\u001b[31mTest timeout of 4000ms exceeded.\u001b[39m";
const CLOSED = "Error: locator.press: Target page, context or browser has been closed";
const ABSENT =
  "Error: \u001b[2mexpect(\u001b[22m\u001b[31mlocator\u001b[39m\u001b[2m).\u001b[22mtoHaveCount";
const FOUND =
  "Error: \u001b[2mexpect(\u001b[22m\u001b[31mreceived\u001b[39m\u001b[2m).\u001b[22mtoEqual";

describe("a second look", () => {
  it("is for the few tests that failed", () => {
    expect(worthSecondLook(report(["main/a.test.ts"]))).toEqual([
      { file: "main/a.test.ts", name: "it holds", timedOut: false },
    ]);
    expect(worthSecondLook(report([]))).toEqual([]);
  });

  it("is not for many, nor where one failure in a thousand runs is a finding", () => {
    expect(worthSecondLook(report(Array.from({ length: 6 }, () => "main/a.test.ts")))).toEqual([]);
    expect(
      worthSecondLook(
        report(["main/a.test.ts", "main/tools/files/opening/safe-open-race.test.ts"]),
      ),
    ).toEqual([]);
    expect(worthSecondLook(report(["tests/durability/kill-cycles.test.ts"]))).toEqual([]);
  });

  it.each([
    ["a page that came too late", "timedOut", [OVER, CLOSED], 1],
    ["an answer that did not come", "timedOut", [OVER], 1],
    ["a line that did not come", "timedOut", [OVER, ABSENT], 1],
    ["what was found after that", "timedOut", [OVER, FOUND], 0],
    ["a finding", "failed", [FOUND], 0],
  ])("takes %s for what it is where nothing may be found", (_, status, errors, looks) => {
    const result = { status, errors: errors.map((message) => ({ message })) };
    const tests = [{ status: "unexpected", results: [result] }];
    const found = { specs: [{ file: "no-plaintext.spec.ts", tests }] };
    expect(worthSecondLook({ suites: [found] })).toHaveLength(looks);
  });

  it("counts what held then as passed, and only when all of it held", () => {
    const first = report(["main/a.test.ts"]);
    expect(afterSecondLook(first, report([], 1))).toEqual({ passed: 4, failed: 0, skipped: 1 });
    expect(afterSecondLook(first, report(["main/a.test.ts"], 4))).toEqual({
      passed: 3,
      failed: 1,
      skipped: 1,
    });
  });

  it("runs what a failure in its group kept from running, and counts it as passed only then", () => {
    const tests = (...statuses: readonly [status: string, expectedStatus: string][]) => ({
      specs: statuses.map(([status, expectedStatus]) => ({ tests: [{ status, expectedStatus }] })),
    });
    const group = tests(["expected", "passed"], ["unexpected", "passed"], ["skipped", "passed"]);
    const first = {
      stats: { expected: 1, unexpected: 1, skipped: 2 },
      suites: [{ suites: [group] }, tests(["skipped", "skipped"])],
    };
    const second = (expected: number) => ({ stats: { expected, unexpected: 0, skipped: 0 } });
    expect(afterSecondLook(first, second(2))).toEqual({ passed: 3, failed: 0, skipped: 1 });
    expect(afterSecondLook(first, second(1))).toEqual({ passed: 1, failed: 1, skipped: 2 });
  });

  it.each([[null], [{}], [report([], 0)]])("takes %j for nothing that held", (second) => {
    expect(afterSecondLook(report(["main/a.test.ts"]), second).failed).toBe(1);
  });
});
