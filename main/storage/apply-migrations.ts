import SqliteDatabase, { type Database } from "better-sqlite3";
import type { Migration } from "./migrations/migration.ts";
import { StoreError } from "./store-error.ts";

export const versionOf = (db: Database): number =>
  Number(db.pragma("user_version", { simple: true }));

/**
 * @throws StoreError if the file's version number is higher than that of `migrations`:
 * `store_newer`; or `store_corrupt` if its tables are those of this version, because those of a
 * newer one would differ
 */
export function refuseNewer(db: Database, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  if (versionOf(db) <= newest) return;
  const ours = new SqliteDatabase(":memory:");
  applyMigrations(ours, migrations);
  const isOurs = schemaOf(db) === schemaOf(ours);
  throw new StoreError(isOurs ? "store_corrupt" : "store_newer", "user_version");
}

const schemaOf = (db: Database): string =>
  JSON.stringify(db.prepare("SELECT sql FROM sqlite_schema ORDER BY type, name").pluck().all());

/** Runs the missing migrations. Each runs in one transaction that also stores its number. */
export function applyMigrations(db: Database, migrations: readonly Migration[]): void {
  refuseNewer(db, migrations);
  const reached = versionOf(db);
  for (const step of migrations.filter(({ version }) => version > reached)) {
    const run = db.transaction(() => {
      db.exec(step.sql);
      db.pragma(`user_version = ${step.version}`);
    });
    run.immediate();
  }
}
