import SqliteDatabase, { type Database } from "better-sqlite3";
import { StoreError } from "./store-error.ts";

/** One step of the schema. Once released, it is never edited again. */
export interface Migration {
  /** `user_version` after the step; higher than that of the previous one. */
  readonly version: number;
  readonly sql: string;
}

export const versionOf = (db: Database): number =>
  Number(db.pragma("user_version", { simple: true }));

/**
 * @throws StoreError if `migrations` do not know the file's version number: `store_other_version`; or `store_corrupt`
 * if its tables are those of this version, because those of another one would differ
 */
export function refuseOther(db: Database, migrations: readonly Migration[]): void {
  const found = versionOf(db);
  if (found === 0 || migrations.some(({ version }) => version === found)) return;
  const ours = new SqliteDatabase(":memory:");
  applyMigrations(ours, migrations);
  const isOurs = schemaOf(db) === schemaOf(ours);
  throw new StoreError(isOurs ? "store_corrupt" : "store_other_version", "user_version");
}

const schemaOf = (db: Database): string =>
  JSON.stringify(db.prepare("SELECT sql FROM sqlite_schema ORDER BY type, name").pluck().all());

/** Runs the missing migrations. Each runs in one transaction that also stores its number. */
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
