import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { CHECKS } from "./check.ts";
import { countsOf, type FailedTest, failedTests, type TestCounts } from "./count-tests.ts";
import { afterSecondLook, worthSecondLook } from "./second-look.ts";
import { runSideBySide, runStep, type Step, stepReport } from "./side-by-side.ts";

/**
 * Runs everything in one command: types, lint, unused exports and the build side by side, then the
 * unit tests beside the end-to-end tests. Ends with a line that sums up all runners. Tests that
 * failed, or passed only in a second run by themselves, are listed before it.
 */
const folder = mkdtempSync(join(tmpdir(), "consentry-tests-"));
/** Hundreds of files and programs start from the same sources: each is compiled once. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") };
const colors = process.stdout.isTTY;

interface Runner extends Pick<Step, "title" | "priority" | "isLive"> {
  /** @param again the files of the tests to run a second time; empty: all tests */
  step(report: string, again: readonly string[]): Pick<Step, "command" | "args" | "env">;
}

const unit: Runner = {
  title: "unit tests",
  // A browser that waits for a page is hurried, and these take what it leaves.
  priority: constants.priority.PRIORITY_BELOW_NORMAL,
  step: (report, again) => ({
    command: "vitest",
    args: [
      ...["run", ...again, "--reporter=dot", "--reporter=./tests/runners/outside-tests.ts"],
      ...["--reporter=json", `--outputFile.json=${report}`],
    ],
    env: { CONSENTRY_RACE_SECONDS: "60", CONSENTRY_OUTSIDE_TESTS: `${report}.outside` },
  }),
};

const endToEnd: Runner = {
  title: "end-to-end tests",
  // A line for each test; what the unit tests say follows when they are done.
  isLive: true,
  step: (report, again) => ({
    command: "playwright",
    args: [
      ...["test", "--config", "e2e/playwright.config.ts", "--reporter=list,json"],
      ...(again.length > 0 ? ["--last-failed"] : []),
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  }),
};

interface Outcome {
  readonly counts: TestCounts;
  readonly failed: readonly FailedTest[];
  readonly heldTheSecondTime: readonly FailedTest[];
}

interface FirstRun {
  readonly runner: Runner;
  readonly report: string;
  readonly passed: boolean;
}

async function firstRun(runner: Runner): Promise<FirstRun> {
  const report = join(folder, `${runner.title}.json`);
  return { runner, report, passed: await run(runner, report, []) };
}

async function run(runner: Runner, report: string, again: readonly string[]): Promise<boolean> {
  const { title, priority, isLive } = runner;
  const look = again.length > 0 ? `${title}, a second look` : title;
  const step = { ...runner.step(report, again), title: look, priority, isLive };
  const { output, passed, seconds } = await runStep(step, { env, colors });
  console.log(`\n── ${look} (${seconds.toFixed(0)} s)`);
  if (isLive !== true) console.log(output);
  return passed;
}

/** What failed is run again by itself: nothing else runs then. */
async function outcomeOf({ runner, report, passed }: FirstRun): Promise<Outcome> {
  const first = readReport(report);
  const again = worthSecondLook(first);
  if (again.length > 0) {
    const files = [...new Set(again.map(({ file }) => file))];
    await run(runner, `${report}.again`, files);
    const counts = afterSecondLook(first, readReport(`${report}.again`));
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

const build: Step = { title: "build", command: process.execPath, args: ["scripts/build.ts"] };
const steps = await runSideBySide([...CHECKS, build], {
  env,
  colors,
  onEnd: (result) => console.log(stepReport(result)),
});
const outcomes: Outcome[] = [];
for (const first of await Promise.all([unit, endToEnd].map(firstRun))) {
  outcomes.push(await outcomeOf(first));
}
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

console.log("");
const brokenSteps = steps.filter(({ passed }) => !passed).length;
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
