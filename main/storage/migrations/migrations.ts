import { firstTables } from "./0001-first-tables.ts";
import type { Migration } from "./migration.ts";

/** In the order they run. */
export const MIGRATIONS: readonly Migration[] = [firstTables];
