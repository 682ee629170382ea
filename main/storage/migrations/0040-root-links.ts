import type { Migration } from "../../../runtime/sqlite/migrations.ts";

/** Through which link a folder was named when it was given. */
export const rootLinks: Migration = { version: 40, sql: "ALTER TABLE roots ADD COLUMN link TEXT" };
