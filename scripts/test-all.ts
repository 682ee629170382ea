import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sumReports, type TestCounts } from "./sum-reports.ts";

/**
 * Everything that must hold, in one command: types, lint and format, the build, the unit tests
 * and the end-to-end tests. Ends with one line that sums all runners.
 */
const folder = mkdtempSync(join(tmpdir(), "consentry-tests-"));
const unitReport = join(folder, "unit.json");
const endToEndReport = join(folder, "e2e.json");

function run(title: string, command: string, args: readonly string[], env = {}): boolean {
  console.log(`\n── ${title}`);
  const { status } = spawnSync(command, args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  return status === 0;
}

const steps = [
  run("types", "tsc", ["-b"]),
  run("lint and format", "biome", ["ci", "."]),
  run("build", process.execPath, ["scripts/build.ts"]),
  run(
    "unit tests",
    "vitest",
    ["run", "--reporter=dot", "--reporter=json", `--outputFile.json=${unitReport}`],
    { CONSENTRY_RACE_SECONDS: "60" },
  ),
  run(
    "end-to-end tests",
    "playwright",
    ["test", "--config", "e2e/playwright.config.ts", "--reporter=list,json"],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: endToEndReport },
  ),
];

/** A step that failed without a failed test to show for it (a compile error, say) counts as one. */
function total(): TestCounts {
  const counts = sumReports([readReport(unitReport), readReport(endToEndReport)]);
  const broken = steps.filter((passed) => !passed).length;
  return { ...counts, failed: Math.max(counts.failed, broken) };
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

const { passed, failed, skipped } = total();
rmSync(folder, { recursive: true });
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
