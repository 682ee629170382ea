import { statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import {
  checkOwnDatabase,
  makeOwnFile,
  makeOwnFolder,
  ownFileError,
  setAsideDatabase,
} from "../../runtime/files/own-file.ts";
import { applyMigrations, refuseOther, versionOf } from "./apply-migrations.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { comesOfDamage, isDamage, isUnreadable, StoreError, toStoreError } from "./store-error.ts";

export const DATABASE_FILE = "consentry.db";
const BUSY_TIMEOUT_MS = 5_000;
/** KiB of pages that a connection keeps, as SQLite wants it: what it keeps, the system's own cache has too. */
const WRITER_CACHE = -2_000;
const OTHER_CACHE = -4_000;

export interface OpenedDatabase {
  readonly db: Database.Database;
  readonly path: string;
  /** Where a damaged file was moved; null if there was none. */
  readonly setAside: string | null;
}

/**
 * Opens `consentry.db` (0600) in `dataDir` (0700), creating both if missing. A damaged file is set
 * aside unchanged and a new one created: it is never erased and never treated as empty (contract
 * §6).
 *
 * @param now milliseconds since the epoch, for the name of a file that is set aside
 * @throws StoreError `store_unwritable`, `store_other_version`; OwnFileError
 */
export function openDatabase(dataDir: string, now: number): OpenedDatabase {
  const path = join(dataDir, DATABASE_FILE);
  try {
    makeOwnFolder(dataDir);
    checkOwnDatabase(path);
    const setAside = isDamaged(path) ? setAsideDatabase(path, now) : null;
    makeOwnFile(path);
    return openOrSetAside(path, now, setAside);
  } catch (error) {
    throw asOpenError(error);
  }
}

function openOrSetAside(path: string, now: number, setAside: string | null): OpenedDatabase {
  try {
    return { db: openForWriting(path), path, setAside };
  } catch (error) {
    // Damage that the first check cannot see: in a page that only writing reads, or in the version
    // number that says which migrations are missing.
    if (!(isDamage(error) || isUnreadable(error)) || setAside !== null) throw error;
    return openInPlaceOf(path, now);
  }
}

function openInPlaceOf(path: string, now: number): OpenedDatabase {
  const setAside = setAsideDatabase(path, now);
  makeOwnFile(path);
  return { db: openForWriting(path), path, setAside };
}

/**
 * Checked through a read-only connection: closing a writable one would copy the write-ahead log
 * into a damaged file and delete it.
 */
function isDamaged(path: string): boolean {
  // Beside a missing or empty database, SQLite would delete the log, which may be all that is left.
  if (sizeOf(path) === 0) return sizeOf(`${path}-wal`) > 0;
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    refuseOther(db, MIGRATIONS);
    if (versionOf(db) === 0) return false;
    if (wasClosedCleanly(db)) return false;
    return db.pragma("quick_check(1)", { simple: true }) !== "ok";
  } catch (error) {
    if (comesOfDamage(error) || isUnreadable(error)) return true;
    if (waitsForWriter(error)) return false;
    throw error;
  } finally {
    db.close();
  }
}

/** Bytes; 0 if there is no such file. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * The very first write was interrupted: a writable connection undoes it, a read-only one cannot.
 */
const waitsForWriter = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code === "SQLITE_READONLY_ROLLBACK";

const wasClosedCleanly = (db: Database.Database): boolean =>
  db.prepare<[], number>("SELECT clean FROM store_state").pluck().get() === 1;

function openForWriting(path: string): Database.Database {
  const db = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.pragma("journal_mode = WAL");
    // FULL: a commit that returned has reached the disk (contract §2.7).
    db.pragma("synchronous = FULL");
    db.pragma("foreign_keys = ON");
    // Purged entries must be erased from free pages too (contract §6).
    db.pragma("secure_delete = ON");
    db.pragma("trusted_schema = OFF");
    db.pragma(`cache_size = ${WRITER_CACHE}`);
    applyMigrations(db, MIGRATIONS);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Sets aside a file that proved damaged after it was opened, and creates a new one.
 * @throws StoreError `store_unwritable`
 */
export function replaceDatabase(dataDir: string, now: number): OpenedDatabase {
  const path = join(dataDir, DATABASE_FILE);
  try {
    return openInPlaceOf(path, now);
  } catch (error) {
    throw asOpenError(error);
  }
}

/** A second connection, for checkpoints only. A copied page is as durable as a commit. */
export function openForFolding(path: string): Database.Database {
  const db = new Database(path, { fileMustExist: true, timeout: 0 });
  db.pragma("synchronous = FULL");
  db.pragma("query_only = ON");
  db.pragma(`cache_size = ${OTHER_CACHE}`);
  return db;
}

/** A second connection that cannot write. */
export function openForReading(path: string): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  db.pragma(`cache_size = ${OTHER_CACHE}`);
  return db;
}

function asOpenError(error: unknown): unknown {
  const mapped = toStoreError(error);
  if (mapped instanceof StoreError || ownFileError.is(mapped)) return mapped;
  // All others are errors of the file system, whatever their errno.
  return new StoreError("store_unwritable", "open", { cause: error });
}
