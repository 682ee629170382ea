import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentOf } from "./environment.ts";
import { type Flags, readFlags, type SuiteName, USAGE } from "./flags.ts";
import { installPeers, type Peers } from "./install-peers.ts";
import { agentHostSuite } from "./suites/agent-host-suite.ts";
import { auditSuite } from "./suites/audit-suite.ts";
import { callSuite } from "./suites/call-suite.ts";
import { codingDaySuite } from "./suites/coding-day-suite.ts";
import { daySuite } from "./suites/day-suite.ts";
import { encryptionSuite } from "./suites/encryption-suite.ts";
import { fileSuite } from "./suites/file-suite.ts";
import { fleetSuite } from "./suites/fleet-suite.ts";
import { hookSuite } from "./suites/hook-suite.ts";
import { lookUpSuite } from "./suites/look-up-suite.ts";
import { mcpSuite } from "./suites/mcp-suite.ts";
import { promptSuite } from "./suites/prompt-suite.ts";
import { purgeSuite } from "./suites/purge-suite.ts";
import { relaySuite } from "./suites/relay-suite.ts";
import { scaleSuite } from "./suites/scale-suite.ts";
import { searchSuite } from "./suites/search-suite.ts";
import { startSuite } from "./suites/start-suite.ts";
import type { SuiteParts, SuiteResult } from "./suites/suite.ts";
import { walkSuite } from "./suites/walk-suite.ts";
import { comparisonLines, environmentLine, tableOf } from "./table.ts";

type MeasuredSuite = Exclude<SuiteName, "overview">;

const SUITES: Readonly<Record<MeasuredSuite, (parts: SuiteParts) => Promise<SuiteResult>>> = {
  calls: callSuite,
  files: fileSuite,
  audit: auditSuite,
  purge: purgeSuite,
  walk: walkSuite,
  search: searchSuite,
  relay: relaySuite,
  "look-ups": lookUpSuite,
  fleet: fleetSuite,
  prompt: promptSuite,
  day: daySuite,
  "coding-day": codingDaySuite,
  encryption: encryptionSuite,
  "agent-host": agentHostSuite,
  mcp: mcpSuite,
  hook: hookSuite,
  start: startSuite,
  scale: scaleSuite,
};

/** In the order of the table; memory and starts last, when nothing else runs. */
const OVERVIEW = ["calls", "mcp", "encryption", "scale", "prompt", "start"] as const;

/** Progress goes to stderr, because stdout is for the tables or the JSON. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** In a folder of its own, which is deleted afterwards; everything it started is ended. */
async function measureSuite(suite: MeasuredSuite, flags: Flags, peers: Peers) {
  await using ending = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "consentry-bench-"));
  ending.defer(() => rmSync(folder, { recursive: true, force: true }));
  return await SUITES[suite]({ flags, peers, folder, ending, say });
}

/** One part that cannot be measured here, without a browser for example, leaves the others of an overview. */
async function measured(suite: MeasuredSuite, flags: Flags, peers: Peers): Promise<SuiteResult> {
  try {
    return await measureSuite(suite, flags, peers);
  } catch (error) {
    if (flags.suite !== "overview") throw error;
    const why = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    return { about: "nothing", rows: [], comparisons: [], notes: [`Left out: ${why}`] };
  }
}

async function measureAll(flags: Flags, peers: Peers): Promise<void> {
  const environment = environmentOf(tmpdir());
  if (!flags.json) console.log(`\n${environmentLine(environment)}`);
  const results: Record<string, SuiteResult> = {};
  for (const suite of flags.suite === "overview" ? OVERVIEW : [flags.suite]) {
    say(`\n${suite}:`);
    const began = performance.now();
    const result = await measured(suite, flags, peers);
    say(`Took ${Math.round((performance.now() - began) / 1_000)} s.`);
    results[suite] = result;
    if (!flags.json) print(suite, result);
  }
  if (flags.json) console.log(JSON.stringify({ environment, flags, peers, results }, null, 2));
}

function print(suite: MeasuredSuite, { about, rows, comparisons, notes }: SuiteResult): void {
  console.log(`\n${suite}: ${about}\n`);
  const measured = rows.filter((row) => "p50_ms" in row);
  if (measured.length > 0) console.log(tableOf(measured));
  if (comparisons.length > 0) console.log(`\n${comparisonLines(comparisons)}`);
  for (const note of notes) console.log(`\n${note}`);
}

const flags = readFlags(process.argv.slice(2));
if (flags === null) console.log(USAGE);
else await measureAll(flags, installPeers(say));
