import { randomBytes } from "node:crypto";
import { openStore, type Store } from "../../main/storage/index.ts";
import { SEED_KEY } from "../../scripts/audit/seeding/seed-log.ts";

const DAY_MS = 24 * 3_600_000;

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
