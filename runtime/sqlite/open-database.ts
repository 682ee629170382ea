import { statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import {
  checkOwnDatabase,
  makeOwnFile,
  makeOwnFolder,
  ownFileError,
  setAsideDatabase,
} from "../files/own-file.ts";
import { applyMigrations, type Migration, refuseOther, versionOf } from "./migrations.ts";
import { comesOfDamage, isDamage, isUnreadable, storeError, toStoreError } from "./store-error.ts";

const BUSY_TIMEOUT_MS = 5_000;
/** KiB of pages that a connection caches. Small, because the system caches these pages too. */
const CACHE_KIB = 2_000;

export interface DatabaseOptions {
  /** The file, or `:memory:`. */
  readonly path: string;
  /** Whether the file's folder is ours too: it is then created if missing, and made private (0700). */
  readonly hasOwnFolder?: boolean;
  /** In the order they run. */
  readonly migrations: readonly Migration[];
  /** `FULL`: a commit that returned has reached the disk. `NORMAL`: a power failure may undo the last ones. */
  readonly synchronous: "FULL" | "NORMAL";
  /**
   * Whether an existing file of ours is intact, before anything writes to it. `db` is read-only, and its version is
   * known. SQLite's own `quick_check` and `integrity_check` read the whole file.
   */
  readonly isIntact: (db: Database.Database) => boolean;
  /** Milliseconds since the epoch, for the name of a file that is set aside. */
  readonly now: number;
}

export interface OpenedDatabase {
  readonly db: Database.Database;
  readonly path: string;
  /** Where a damaged file was moved; null if there was none. */
  readonly setAside: string | null;
}

/**
 * Opens a database file of ours (0600) for its only writer, creating it if missing, and migrates it. A damaged file is
 * set aside unchanged and a new one created: it is never erased, and never treated as empty.
 *
 * @throws StoreError `store_unwritable`, `store_other_version`; OwnFileError
 */
export function openDatabase(options: DatabaseOptions): OpenedDatabase {
  const { path, now } = options;
  if (path === ":memory:") return { db: openToWrite(options), path, setAside: null };
  try {
    if (options.hasOwnFolder === true) makeOwnFolder(dirname(path));
    checkOwnDatabase(path);
    const setAside = isDamaged(options) ? setAsideDatabase(path, now) : null;
    makeOwnFile(path);
    return openOrSetAside(options, setAside);
  } catch (error) {
    throw asOpenError(error);
  }
}

/**
 * Sets aside a file that proved damaged after it was opened, and creates a new one.
 * @throws StoreError `store_unwritable`; OwnFileError
 */
export function replaceDatabase(options: DatabaseOptions): OpenedDatabase {
  const { path, now } = options;
  try {
    const setAside = setAsideDatabase(path, now);
    makeOwnFile(path);
    return { db: openToWrite(options), path, setAside };
  } catch (error) {
    throw asOpenError(error);
  }
}

/** A connection that cannot write, beside the writer's. @throws SQLite's errors */
export function openToRead(path: string): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  db.pragma(`cache_size = -${2 * CACHE_KIB}`);
  return db;
}

function openOrSetAside(options: DatabaseOptions, setAside: string | null): OpenedDatabase {
  try {
    return { db: openToWrite(options), path: options.path, setAside };
  } catch (error) {
    // Damage that the first check cannot see: in a page that only writing reads, or in the version
    // number that says which migrations are missing.
    if (!(isDamage(error) || isUnreadable(error)) || setAside !== null) throw error;
    return replaceDatabase(options);
  }
}

function openToWrite({ path, synchronous, migrations }: DatabaseOptions): Database.Database {
  const db = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.pragma("journal_mode = WAL");
    db.pragma(`synchronous = ${synchronous}`);
    db.pragma("foreign_keys = ON");
    // Deleted rows are overwritten, in free pages too.
    db.pragma("secure_delete = ON");
    db.pragma("trusted_schema = OFF");
    db.pragma(`cache_size = -${CACHE_KIB}`);
    applyMigrations(db, migrations);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Checked through a read-only connection: closing a writable one would copy the write-ahead log into a damaged file
 * and delete it.
 */
function isDamaged({ path, migrations, isIntact }: DatabaseOptions): boolean {
  // Beside a missing or empty database, SQLite would delete the log, which may be all that is left.
  if (sizeOf(path) === 0) return sizeOf(`${path}-wal`) > 0;
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    refuseOther(db, migrations);
    return versionOf(db) !== 0 && !isIntact(db);
  } catch (error) {
    if (comesOfDamage(error) || isUnreadable(error)) return true;
    if (awaitsWriter(error)) return false;
    throw error;
  } finally {
    db.close();
  }
}

/** Bytes; 0 if there is no such file. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The very first write was interrupted: a writable connection undoes it, a read-only one cannot. */
const awaitsWriter = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code === "SQLITE_READONLY_ROLLBACK";

function asOpenError(error: unknown): unknown {
  const mapped = toStoreError(error);
  if (storeError.is(mapped) || ownFileError.is(mapped)) return mapped;
  // All others are errors of the file system, whatever their errno.
  return storeError("store_unwritable", { details: "open", cause: error });
}
