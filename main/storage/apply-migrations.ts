import type { Database } from "better-sqlite3";
import type { Migration } from "./migrations/migration.ts";
import { StoreError } from "./store-error.ts";

export const versionOf = (db: Database): number =>
  Number(db.pragma("user_version", { simple: true }));

/** @throws StoreError `store_newer` when the file is from a later version than `migrations` know */
export function refuseNewer(db: Database, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  if (versionOf(db) > newest) throw new StoreError("store_newer", "user_version");
}

/** Runs what is missing, each step and its number in one transaction. */
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
