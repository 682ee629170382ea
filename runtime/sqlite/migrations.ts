import { basename } from "node:path";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { storeError } from "./store-error.ts";

/** One step of a schema. Once released, it is never edited or removed. */
export interface Migration {
  /** `user_version` after the step; higher than that of the step before. */
  readonly version: number;
  readonly sql: string;
}

export const versionOf = (db: Database): number =>
  Number(db.pragma("user_version", { simple: true }));

/**
 * @throws StoreError if no migration leads to the file's version: `store_corrupt` if its schema is the newest one, so
 * that only the number is wrong; otherwise `store_other_version`
 */
export function refuseOther(db: Database, migrations: readonly Migration[]): void {
  const found = versionOf(db);
  if (found === 0 || migrations.some(({ version }) => version === found)) return;
  const ours = new SqliteDatabase(":memory:");
  applyMigrations(ours, migrations);
  const isOurs = schemaOf(db) === schemaOf(ours);
  ours.close();
  throw isOurs
    ? storeError("store_corrupt", { details: "user_version" })
    : storeError("store_other_version", {
        details: "user_version",
        message: `${basename(db.name)} was written by another version. Start that version.`,
      });
}

const schemaOf = (db: Database): string =>
  JSON.stringify(db.prepare("SELECT sql FROM sqlite_schema ORDER BY type, name").pluck().all());

/**
 * Runs the missing migrations. Each runs in one transaction that also stores its number.
 * @throws as `refuseOther`; SQLite's errors
 */
export function applyMigrations(db: Database, migrations: readonly Migration[]): void {
  refuseOther(db, migrations);
  const reached = versionOf(db);
  for (const step of migrations.filter(({ version }) => version > reached)) {
    const run = db.transaction(() => {
      db.exec(step.sql);
      db.pragma(`user_version = ${step.version}`);
    });
    run.immediate();
  }
}
