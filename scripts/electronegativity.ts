import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outdated, readFindings, unexplained } from "./packaging/electron-findings.ts";

/**
 * Runs electronegativity, which npm fetches for this, on everything that speaks to Electron. Fails for a
 * finding that has no explanation, and for an explanation that nothing needs any more.
 */
const PACKAGE = "@doyensec/electronegativity@1.10.3";
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "consentry-findings-"));
try {
  const sources = join(folder, "sources");
  const isProduct = (path: string) => !path.endsWith(".test.ts") && !path.endsWith("testing");
  for (const room of ["main/desktop", "preload", "package.json"]) {
    cpSync(join(ROOT, room), join(sources, room), { recursive: true, filter: isProduct });
  }
  const report = join(folder, "report.csv");
  const args = ["exec", "--yes", "--ignore-scripts", `--package=${PACKAGE}`, "--"];
  const command = ["electronegativity", "-i", sources, "-o", report];
  const run = spawnSync("npm", [...args, ...command], { cwd: folder, encoding: "utf8" });
  if (run.error !== undefined) throw run.error;
  const findings = readFindings(readFileSync(report, "utf8"));
  for (const { check, severity, file } of unexplained(findings)) {
    console.error(`${severity} ${check} in ${file} has no explanation.`);
    process.exitCode = 1;
  }
  for (const check of outdated(findings)) {
    console.error(`${check} is explained, but no longer found.`);
    process.exitCode = 1;
  }
  console.log(
    `${findings.length} findings; none is high, and each has an explanation, unless said above.`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
