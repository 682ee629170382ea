import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The revisions that the suite has a list of required scenarios for. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
/** What the program leaves out on purpose. */
const expectedFailures = (revision: Revision): string =>
  fileURLToPath(new URL(`expected-failures.${revision}.yaml`, import.meta.url));

/**
 * Runs the scenarios that a revision requires of a server.
 * @param isOurs some failures are expected then, and their absence fails too
 */
export function runScenarios(
  url: string,
  revision: Revision,
  isOurs: boolean,
): Promise<{ readonly passed: boolean; readonly output: string }> {
  const expected = isOurs ? ["--expected-failures", expectedFailures(revision)] : [];
  const args = [SUITE, "server", "--url", url, "--requirements", revision, ...expected];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { encoding: "utf8" }, (error, stdout, stderr) =>
      resolve({ passed: error === null, output: `${stdout}${stderr}` }),
    );
  });
}
