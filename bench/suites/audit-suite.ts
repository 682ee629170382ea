import { join } from "node:path";
import { seedLog } from "../../main/storage/index.ts";
import { interleave } from "../interleave.ts";
import { reportOf } from "../report.ts";
import { startMeasured } from "../subjects/measured-process.ts";
import { measurePages } from "./audit-pages.ts";
import { measurePurge } from "./audit-purge.ts";
import { openedLater } from "./opened-later.ts";
import { Subjects, type SuiteParts, type SuiteResult } from "./suite.ts";

/** Of the 30 days that are seeded, this many are purged. */
const PURGED_DAYS = 9;
const BYTES = "4096";
const RAW = "SQLite alone, two inserts a call";
const FLOOR = "SQLite alone, two inserts a call, grouped";
const DURABLE = "Contract chain, durable log";

/** The log under its largest load: calls, pages of millions, and a purge beside calls. */
export async function auditSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, folder, say } = parts;
  const measured = await measureCalls(parts);
  const dataDir = flags.seeded ?? join(folder, "seeded");
  const now = Date.now();
  if (flags.seeded === null) seed(dataDir, flags.records, now, say);

  say("reading pages");
  const reading = openedLater(dataDir, 0);
  const before = process.memoryUsage().rss;
  const pages = await measurePages(reading, now, flags.rounds);
  const grown = process.memoryUsage().rss - before;
  reading.close();

  say("purging");
  const purging = openedLater(dataDir, PURGED_DAYS);
  const purge = await measurePurge(purging);
  purging.close();
  return {
    about: `${flags.rounds} rounds; ${flags.seeded ?? `${flags.records} records`}; pages of 50, the first and five more`,
    rows: [...reportOf(measured, { ours: DURABLE, peer: RAW }), ...pages, ...purge.rows],
    comparisons: [],
    notes: [
      `Reading pages took ${(grown / 1e6).toFixed(0)} MB more than opening.`,
      `${purge.purged} records were purged in ${purge.seconds.toFixed(0)} s.`,
    ],
  };
}

async function measureCalls({ flags, folder, ending, say }: SuiteParts) {
  const subjects = new Subjects(ending);
  const modes = [1, 32] as const;
  const chain = (kind: string) => ({ modes, entry: "chain.ts", args: [kind, folder, BYTES] });
  await subjects.add(startMeasured({ name: "Contract chain, log off", ...chain("memory") }));
  await subjects.add(startMeasured({ name: DURABLE, ...chain("durable") }));
  const raw = (way: string) => ({ modes, entry: "log-floor.ts", args: [folder, way] });
  await subjects.add(startMeasured({ name: RAW, ...raw("each") }));
  await subjects.add(startMeasured({ name: FLOOR, ...raw("grouped") }));
  return interleave(subjects.all, flags, say);
}

function seed(dataDir: string, count: number, now: number, say: (line: string) => void): void {
  let told = 0;
  const onProgress = (written: number) => {
    if (written - told < 500_000 && written < count) return;
    told = written;
    say(`${written} of ${count} records written`);
  };
  seedLog({ dataDir, count, now, seed: 1, onProgress });
}
