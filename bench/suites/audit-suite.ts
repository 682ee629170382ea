import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { interleave } from "../interleave.ts";
import { type ReportRow, reportOf } from "../report.ts";
import { startMeasured } from "../subjects/measured-process.ts";
import { measurePages } from "./audit-pages.ts";
import { measurePurge } from "./audit-purge.ts";
import { openedLater, seededFolder } from "./opened-later.ts";
import { Subjects, type SuiteParts, type SuiteResult } from "./suite.ts";

/** How many of the 30 seeded days are purged. */
const PURGED_DAYS = 9;
/** Sizes of a call's result: a short one, as for a notification, and a page of text. */
const SHORT = "64";
const PAGE = "4096";
const RAW = "SQLite alone, two inserts a call";
const DURABLE = "Contract chain, durable log";

/**
 * The log under its largest load: calls, pages of millions of records, and a purge during calls.
 */
export async function auditSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, say } = parts;
  const calls = await measureCalls(parts);
  const now = Date.now();
  const dataDir = seededFolder(parts);

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
    rows: [...calls, ...pages, ...purge.rows],
    comparisons: [],
    notes: [`Reading pages took ${(grown / 1e6).toFixed(0)} MB more than opening.`, ...purge.notes],
  };
}

/** In memory and on the disk, each compared with plain SQLite and rows of the same size. */
async function measureCalls({ flags, folder, ending, say }: SuiteParts): Promise<ReportRow[]> {
  const subjects = new Subjects(ending);
  const modes = [1, 32] as const;
  const nameOf = (name: string, bytes: string) => `${name}, ${bytes} bytes`;
  for (const bytes of [SHORT, PAGE]) {
    const place = join(folder, `results-${bytes}`);
    mkdirSync(place, { recursive: true });
    const chain = (kind: string) => ({ modes, entry: "chain.ts", args: [kind, place, bytes] });
    const raw = (way: string) => ({ modes, entry: "log-floor.ts", args: [place, way, bytes] });
    await subjects.add(
      startMeasured({ name: nameOf("Contract chain, log off", bytes), ...chain("memory") }),
    );
    await subjects.add(startMeasured({ name: nameOf(DURABLE, bytes), ...chain("durable") }));
    await subjects.add(startMeasured({ name: nameOf(RAW, bytes), ...raw("each") }));
    await subjects.add(
      startMeasured({ name: nameOf(`${RAW}, grouped`, bytes), ...raw("grouped") }),
    );
  }
  const measured = await interleave(subjects.all, flags, say);
  return [SHORT, PAGE].flatMap((bytes) =>
    reportOf(
      measured.filter(({ subject }) => subject.name.endsWith(nameOf("", bytes))),
      { ours: nameOf(DURABLE, bytes), peer: nameOf(RAW, bytes) },
    ),
  );
}
