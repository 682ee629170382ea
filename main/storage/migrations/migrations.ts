import type { Migration } from "../../../runtime/sqlite/migrations.ts";
import { tables } from "./0036-tables.ts";
import { endings } from "./0037-endings.ts";
import { rootLinks } from "./0040-root-links.ts";

/** In the order they run. */
export const MIGRATIONS: readonly Migration[] = [tables, endings, rootLinks];
