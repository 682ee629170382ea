import { runAudit } from "./audit/run-audit.ts";

/** The log from the command line: verify, export, salvage, seed (docs/audit-log.md). */
// Whoever reads our output may stop reading: that ends us, and is no fault.
process.stdout.on("error", () => process.exit(0));

process.exitCode = await runAudit(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: (line) => process.stderr.write(`${line}\n`),
  now: () => Date.now(),
});
