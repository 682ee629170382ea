import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countsOf, type FailedTest, failedTests, type TestCounts } from "./count-tests.ts";
import { afterSecondLook, worthSecondLook } from "./second-look.ts";

/**
 * Runs all checks in one command: types, lint and format, the build, the unit tests and the
 * end-to-end tests. Ends with a line that sums up all runners. Tests that failed, or passed only in
 * a second run by themselves, are listed before it.
 */
const folder = mkdtempSync(join(tmpdir(), "consentry-tests-"));

function run(title: string, command: string, args: readonly string[], env = {}): boolean {
  console.log(`\n── ${title}`);
  const { status } = spawnSync(command, args, {
    stdio: ["ignore", "inherit", "inherit"],
    // Hundreds of files and programs start from the same sources: each is compiled once.
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled"), ...env },
    shell: process.platform === "win32",
  });
  return status === 0;
}

interface Runner {
  readonly title: string;
  /** @param again the files of the tests to run a second time; empty: all tests */
  start(title: string, report: string, again: readonly string[]): boolean;
}

const unit: Runner = {
  title: "unit tests",
  start: (title, report, again) =>
    run(
      title,
      "vitest",
      [
        ...["run", ...again, "--reporter=dot", "--reporter=./tests/runners/outside-tests.ts"],
        ...["--reporter=json", `--outputFile.json=${report}`],
      ],
      { CONSENTRY_RACE_SECONDS: "60", CONSENTRY_OUTSIDE_TESTS: `${report}.outside` },
    ),
};

const endToEnd: Runner = {
  title: "end-to-end tests",
  start: (title, report, again) =>
    run(
      title,
      "playwright",
      [
        ...["test", "--config", "e2e/playwright.config.ts", "--reporter=list,json"],
        ...(again.length > 0 ? ["--last-failed"] : []),
      ],
      { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    ),
};

interface Outcome {
  readonly counts: TestCounts;
  readonly failed: readonly FailedTest[];
  readonly heldTheSecondTime: readonly FailedTest[];
}

function outcomeOf(runner: Runner, name: string): Outcome {
  const report = join(folder, `${name}.json`);
  const passed = runner.start(runner.title, report, []);
  const first = readReport(report);
  const again = worthSecondLook(first);
  if (again.length > 0) {
    const secondReport = join(folder, `${name}-again.json`);
    const files = [...new Set(again.map(({ file }) => file))];
    runner.start(`${runner.title}, a second look`, secondReport, files);
    const counts = afterSecondLook(first, readReport(secondReport));
    if (counts.failed === 0) return { counts, failed: [], heldTheSecondTime: again };
  }
  const counts = countsOf(first);
  // A runner that fails without a failed test has not passed either.
  if (passed || counts.failed > 0) {
    return { counts, failed: failedTests(first), heldTheSecondTime: [] };
  }
  const outside = linesIn(readReport(`${report}.outside`)).map((line) => ({
    file: runner.title,
    name: `outside the tests: ${line}`,
    timedOut: false,
  }));
  return { counts: { ...counts, failed: 1 }, failed: outside, heldTheSecondTime: [] };
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

function linesIn(report: unknown): string[] {
  const lines = Array.isArray(report) ? report.filter((line) => typeof line === "string") : [];
  return lines.length > 0 ? lines : ["an error that was not named, see above"];
}

function name(title: string, tests: readonly FailedTest[]): void {
  for (const test of tests) console.log(`${title}: ${test.file} › ${test.name}`);
}

const steps = [
  run("types", "tsc", ["-b"]),
  run("lint and format", "biome", ["ci", "."]),
  run("dead exports and files", "knip", ["--no-progress"]),
  run("build", process.execPath, ["scripts/build.ts"]),
];
const outcomes = [outcomeOf(unit, "unit"), outcomeOf(endToEnd, "e2e")];
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

console.log("");
const brokenSteps = steps.filter((held) => !held).length;
if (brokenSteps > 0) console.log("failed: types, lint or build, see above");
for (const outcome of outcomes) {
  name("failed", outcome.failed);
  name("held only the second time", outcome.heldTheSecondTime);
}
const sum = outcomes
  .map(({ counts }) => counts)
  .reduce((total, each) => ({
    passed: total.passed + each.passed,
    failed: total.failed + each.failed,
    skipped: total.skipped + each.skipped,
  }));
const failed = sum.failed + brokenSteps;
console.log(`${sum.passed} passed, ${failed} failed, ${sum.skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
