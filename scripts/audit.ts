import { runAudit } from "./audit/run-audit.ts";

/** The log on the command line: verify, export, salvage, seed (docs/audit-log.md). */
// If the reader of our output stops reading, we end, which is no error.
process.stdout.on("error", () => process.exit(0));

process.exitCode = await runAudit(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: (line) => process.stderr.write(`${line}\n`),
  now: () => Date.now(),
});
