import type { Migration } from "./migration.ts";

/** The lines that are missing follow from the last one, in this version and in older ones. */
export const lateLines: Migration = {
  version: 34,
  sql: "DROP TABLE lines_wanted;",
};
