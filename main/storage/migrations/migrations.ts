import type { Migration } from "../../../runtime/sqlite/migrations.ts";
import { tables } from "./0036-tables.ts";
import { rootLinks } from "./0040-root-links.ts";
import { calls } from "./0041-calls.ts";

/** Corrected an index that version 41 builds anew. */
const endings: Migration = { version: 37, sql: "" };

/** In the order they run. */
export const MIGRATIONS: readonly Migration[] = [tables, endings, rootLinks, calls];
