import { randomBytes } from "node:crypto";
import { openStore, type Store } from "../../main/storage/index.ts";

const DAY_MS = 24 * 3_600_000;

/** The store as the client opens it, so many days from now. */
export const openedLater = (dataDir: string, days: number): Store =>
  openStore({
    dataDir,
    wallClock: { now: () => Date.now() + days * DAY_MS },
    monotonic: { now: () => performance.now() },
    random: randomBytes,
    readerWorker: new URL("../../main/storage/activity/reader-worker.ts", import.meta.url),
  }).store;
