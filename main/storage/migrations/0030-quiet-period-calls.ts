import type { Migration } from "./migration.ts";

/** Each quiet period names the call on whose card it was given; of older ones that is not known. */
export const quietPeriodCalls: Migration = {
  version: 30,
  sql: "ALTER TABLE silence_windows ADD COLUMN made_on TEXT;",
};
