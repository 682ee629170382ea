import type { Migration } from "./migration.ts";

/** What is given may be one file, and may end. */
export const rootTerms: Migration = {
  version: 32,
  sql: `
ALTER TABLE roots ADD COLUMN only_file INTEGER NOT NULL DEFAULT 0;
ALTER TABLE roots ADD COLUMN ends_at INTEGER;
ALTER TABLE roots ADD COLUMN for_task INTEGER NOT NULL DEFAULT 0;
`,
};
