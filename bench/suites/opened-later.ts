import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { openLog, openStore, type Store } from "../../main/storage/index.ts";
import { SEED_KEY, seedLog } from "../../tests/seeding/seed-log.ts";
import type { SuiteParts } from "./suite.ts";

const DAY_MS = 24 * 3_600_000;

/** The data folder of the seeded log that the flags name, or of one seeded now. */
export function seededFolder({ flags, folder, say }: SuiteParts): string {
  if (flags.seeded !== null) return flags.seeded;
  const dataDir = join(folder, "seeded");
  const count = flags.records;
  let told = 0;
  const onProgress = (written: number) => {
    if (written - told < 500_000 && written < count) return;
    told = written;
    say(`${written} of ${count} records written`);
  };
  seedLog({ dataDir, count, now: Date.now(), seed: 1, onProgress });
  return dataDir;
}

/** Opens the store of a seeded log like the client. @param now the wall clock, milliseconds since the epoch */
export function openedAt(dataDir: string, now: () => number): Store {
  const { store } = openStore({
    dataDir,
    wallClock: { now },
    monotonic: { now: () => performance.now() },
    random: randomBytes,
    readerWorker: new URL("../../main/storage/activity/reader-worker.ts", import.meta.url),
  });
  store.keepSubjects(SEED_KEY);
  return store;
}

/** The same, this many days from now. */
export const openedLater = (dataDir: string, days: number): Store =>
  openedAt(dataDir, () => Date.now() + days * DAY_MS);

/** The time at which it was filled: with a later time, opening would purge the beginning of the log. */
export function endOfLog(dataDir: string): number {
  const log = openLog(dataDir);
  try {
    const { extent } = log;
    const [newest] = extent === null ? [] : log.page({ first: extent.last, last: extent.last }, 1);
    if (newest === undefined) throw new Error("there is no log here");
    return newest.record.timestamp;
  } finally {
    log.close();
  }
}
