import type { Migration } from "../../../runtime/sqlite/migrations.ts";
import { tables } from "./0036-tables.ts";
import { calls } from "./0041-calls.ts";
import { targets } from "./0042-targets.ts";
import { keptChanges } from "./0043-kept-changes.ts";

/** Corrected an index that version 41 builds anew. */
const endings: Migration = { version: 37, sql: "" };

/** Through which link a folder was named when it was given. */
const rootLinks: Migration = { version: 40, sql: "ALTER TABLE roots ADD COLUMN link TEXT" };

/** The folder that the agent must have open. */
const projects: Migration = {
  version: 44,
  sql: `ALTER TABLE rules ADD COLUMN project TEXT;
ALTER TABLE silence_windows ADD COLUMN project TEXT`,
};

/** In the order they run. */
export const MIGRATIONS: readonly Migration[] = [
  tables,
  endings,
  rootLinks,
  calls,
  targets,
  keptChanges,
  projects,
];
