import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Environment, environmentOf } from "./environment.ts";
import { type Flags, readFlags, type SuiteName } from "./flags.ts";
import { installPeers, type Peers } from "./install-peers.ts";
import { agentHostSuite } from "./suites/agent-host-suite.ts";
import { auditSuite } from "./suites/audit-suite.ts";
import { callSuite } from "./suites/call-suite.ts";
import { encryptionSuite } from "./suites/encryption-suite.ts";
import { fileSuite } from "./suites/file-suite.ts";
import { mcpSuite } from "./suites/mcp-suite.ts";
import { promptSuite } from "./suites/prompt-suite.ts";
import { purgeSuite } from "./suites/purge-suite.ts";
import { relaySuite } from "./suites/relay-suite.ts";
import { startSuite } from "./suites/start-suite.ts";
import type { SuiteParts, SuiteResult } from "./suites/suite.ts";
import { walkSuite } from "./suites/walk-suite.ts";
import { comparisonLines, environmentLine, tableOf } from "./table.ts";

const SUITES: Readonly<Record<SuiteName, (parts: SuiteParts) => Promise<SuiteResult>>> = {
  calls: callSuite,
  files: fileSuite,
  audit: auditSuite,
  purge: purgeSuite,
  walk: walkSuite,
  relay: relaySuite,
  prompt: promptSuite,
  encryption: encryptionSuite,
  "agent-host": agentHostSuite,
  mcp: mcpSuite,
  start: startSuite,
};

/** Progress goes to stderr, because stdout is for the table or the JSON. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function measureAll(flags: Flags, peers: Peers, ending: AsyncDisposableStack): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "consentry-bench-"));
  ending.defer(() => rmSync(folder, { recursive: true, force: true }));
  const environment = environmentOf(folder);
  const result = await SUITES[flags.suite]({ flags, peers, folder, ending, say });
  if (flags.json) {
    console.log(JSON.stringify({ environment, flags, peers, ...result }, null, 2));
    return;
  }
  print(environment, result);
}

function print(environment: Environment, result: SuiteResult): void {
  const { about, rows, comparisons, notes } = result;
  console.log(`\n${environmentLine(environment)}\n${about}\n`);
  console.log(tableOf(rows));
  if (comparisons.length > 0) console.log(`\n${comparisonLines(comparisons)}`);
  for (const note of notes) console.log(`\n${note}`);
}

const flags = readFlags(process.argv.slice(2));
const ending = new AsyncDisposableStack();
try {
  await measureAll(flags, installPeers(say), ending);
} finally {
  await ending.disposeAsync();
}
