import { join } from "node:path";
import type Database from "better-sqlite3";
import type { DatabaseOptions } from "../../runtime/sqlite/open-database.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";

export const databaseIn = (dataDir: string): string => join(dataDir, "consentry.db");

/**
 * How `consentry.db` in a data folder is opened.
 * @param now milliseconds since the epoch, for the name of a file that is set aside
 */
export const storeDatabase = (dataDir: string, now: number): DatabaseOptions => ({
  path: databaseIn(dataDir),
  hasOwnFolder: true,
  migrations: MIGRATIONS,
  // A commit that returned has reached the disk (contract §2.7).
  synchronous: "FULL",
  isIntact: (db) => wasClosedCleanly(db) || db.pragma("quick_check(1)", { simple: true }) === "ok",
  now,
});

const wasClosedCleanly = (db: Database.Database): boolean =>
  db.prepare<[], number>("SELECT clean FROM store_state").pluck().get() === 1;
