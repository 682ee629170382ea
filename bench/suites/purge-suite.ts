import { join } from "node:path";
import { seedLog } from "../../tests/seeding/seed-log.ts";
import { measurePurge } from "./audit-purge.ts";
import { openedLater } from "./opened-later.ts";
import type { SuiteParts, SuiteResult } from "./suite.ts";

/** How many of the 30 seeded days are purged. */
const PURGED_DAYS = 27;

/** A purge of almost everything, with silent calls during it and without it. */
export async function purgeSuite({ flags, folder, say }: SuiteParts): Promise<SuiteResult> {
  const dataDir = join(folder, "expired");
  say(`seeding ${flags.records} records`);
  seedLog({ dataDir, count: flags.records, now: Date.now(), seed: 1 });
  say("purging");
  const store = openedLater(dataDir, PURGED_DAYS);
  const { rows, notes } = await measurePurge(store);
  store.close();
  return {
    about: `${flags.records} records, ${PURGED_DAYS} of 30 days expired`,
    rows,
    comparisons: [],
    notes,
  };
}
