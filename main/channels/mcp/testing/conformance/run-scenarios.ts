import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The revisions that the suite has a list of required scenarios for. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

interface Ran {
  readonly passed: boolean;
  readonly output: string;
}

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
/** Runs the scenarios that a revision requires of a server. */
export const runScenarios = (url: string, revision: Revision): Promise<Ran> =>
  run(url, ["--requirements", revision]);

/** Those of the extension for tasks that ask nothing of the client, and need no task without an answer. */
export const TASK_SCENARIOS = [
  "tasks-capability-negotiation",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-request-headers",
  "tasks-required-task-error",
] as const;

export const runScenario = (url: string, name: (typeof TASK_SCENARIOS)[number]): Promise<Ran> =>
  run(url, ["--scenario", name]);

function run(url: string, flags: readonly string[]): Promise<Ran> {
  const args = [SUITE, "server", "--url", url, ...flags];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { encoding: "utf8" }, (error, stdout, stderr) =>
      resolve({ passed: error === null, output: `${stdout}${stderr}` }),
    );
  });
}
