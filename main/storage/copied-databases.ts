import { constants, copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { DATABASE_COMPANIONS } from "../../runtime/files/own-file.ts";
import { versionOf } from "../../runtime/sqlite/migrations.ts";

const DATABASES = ["consentry.db", "hub.db"] as const;

/**
 * Copies the data folder's databases to `folder`, for a version that cannot read what a newer one makes
 * of them. Nothing may have them open. Throws what the file system throws.
 */
export function copyDatabases(dataDir: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700, recursive: true });
  for (const name of filesOf(dataDir)) {
    copyFileSync(join(dataDir, name), join(folder, name), constants.COPYFILE_FICLONE);
  }
}

/**
 * Puts each copy back whose database has been migrated since; the others hold everything up to now.
 * Throws what the file system or SQLite throws.
 */
export function restoreMigrated(dataDir: string, folder: string): void {
  for (const name of DATABASES) {
    const [now, before] = [join(dataDir, name), join(folder, name)];
    if (!existsSync(before) || !existsSync(now) || schemaOf(now) === schemaOf(before)) continue;
    for (const companion of ["", ...DATABASE_COMPANIONS]) {
      rmSync(now + companion, { force: true });
      if (existsSync(before + companion)) copyFileSync(before + companion, now + companion);
    }
  }
}

/** Without the shared memory: SQLite makes a new one. */
const filesOf = (dataDir: string): readonly string[] =>
  DATABASES.flatMap((name) => [name, `${name}-wal`]).filter((name) =>
    existsSync(join(dataDir, name)),
  );

function schemaOf(path: string): number {
  const db = new SqliteDatabase(path);
  try {
    return versionOf(db);
  } finally {
    db.close();
  }
}
