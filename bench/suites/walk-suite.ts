import { measureCold } from "./audit-cold.ts";
import { measurePages, rowOf } from "./audit-pages.ts";
import { walkLog } from "./audit-walk.ts";
import { endOfLog, openedAt, seededFolder } from "./opened-later.ts";
import type { SuiteParts, SuiteResult } from "./suite.ts";

/** First pages with every filter, then the whole log from its newest line to its oldest. */
export async function walkSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, say } = parts;
  const dataDir = seededFolder(parts);
  const now = endOfLog(dataDir);
  const open = () => openedAt(dataDir, () => now);
  say("reading pages from the disk");
  const cold = await measureCold(open, dataDir, now, flags.rounds);
  const store = open();
  say("reading pages");
  const pages = await measurePages(store, now, flags.rounds);
  say("walking");
  const walk = await walkLog(store, dataDir, say);
  store.close();
  if (walk.lines !== walk.outcomes) {
    throw new Error(`${walk.lines} lines were read, and there are ${walk.outcomes}`);
  }
  const { warm, most, last } = walk.memory;
  const mb = (bytes: number) => (bytes / 1e6).toFixed(0);
  return {
    about: `${flags.rounds} rounds; ${dataDir === flags.seeded ? dataDir : `${flags.records} records`}`,
    rows: [...cold, ...pages, rowOf("the whole log", walk.times)],
    comparisons: [],
    notes: [
      ...(cold.length > 0 ? [] : ["Pages were not read from the disk: there is no GNU dd here."]),
      `${walk.lines} lines in ${walk.times.length} pages, each line once and in order, in ${walk.seconds.toFixed(0)} s.`,
      `Resident memory: ${mb(warm)} MB once warm, ${mb(most)} MB at most, ${mb(last)} MB at the end.`,
    ],
  };
}
