import Database from "better-sqlite3";
import {
  checkOwnDatabase,
  makeOwnFile,
  ownFileError,
  setAsideDatabase,
} from "../../runtime/files/own-file.ts";
import { hubError, startError } from "../hub-error.ts";
import type { HubRecovery } from "../hub-options.ts";
import { tables } from "./migrations/0009-tables.ts";
import { accounts } from "./migrations/0010-accounts.ts";
import { pairings } from "./migrations/0011-pairings.ts";
import { damagedError, isDamage, Standby } from "./standby.ts";

export type HubDatabase = Database.Database;

/** In the order they run, each leading to its version. Once released, they are never changed or removed. */
const MIGRATIONS = [
  { version: 9, sql: tables },
  { version: 10, sql: accounts },
  { version: 11, sql: pairings },
] as const;

const CHECKPOINT_PAGES = 8_000;
/** KiB of pages that are kept, as SQLite wants it: what it keeps, the system's own cache has too. */
const CACHE = -1_000;

export interface OpenedHubDatabase {
  readonly db: HubDatabase;
  /** Null: the file was intact. */
  readonly recovery: HubRecovery | null;
}

/**
 * Opens (or creates, mode 0600) the hub's database and migrates it to the newest version. A damaged
 * one is moved aside whole; a new one is filled from the copy next to it (`standby.ts`).
 * @param now milliseconds since the epoch
 * @throws HubError "database_unusable" (not writable), "database_other_version"; OwnFileError
 */
export function openDatabase(path: string, now: number): OpenedHubDatabase {
  try {
    if (path === ":memory:") return { db: openFile(path), recovery: null };
    const { db, standby, isNew, setAside } = openWholeOrAnew(path, now);
    const isRestored = isNew && standby.hasRows();
    if (isRestored) standby.restore(now);
    standby.follow();
    return { db, recovery: isRestored || setAside !== null ? { setAside } : null };
  } catch (error) {
    if (hubError.is(error) || ownFileError.is(error)) throw error;
    throw startError("database_unusable", path, { cause: error });
  }
}

function openWholeOrAnew(path: string, now: number) {
  try {
    return { ...openWhole(path, now), setAside: null };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const setAside = setAsideDatabase(path, now);
  return { ...openWhole(path, now), setAside };
}

/** @throws what `isDamage` knows, or whatever else stands in the way */
function openWhole(path: string, now: number) {
  const db = openFile(path);
  try {
    // The quick check leaves out indexes, and through one a row may not be found that is there.
    const check = db.pragma("integrity_check(1)", { simple: true });
    if (check !== "ok") throw damagedError("hub");
    const standby = new Standby(db, path, now);
    const isNew = db.prepare("SELECT 1 FROM settings LIMIT 1").get() === undefined;
    if (!isNew && !standby.holds()) throw damagedError("hub");
    return { db, standby, isNew };
  } catch (error) {
    db.close();
    throw error;
  }
}

function openFile(path: string): HubDatabase {
  if (path !== ":memory:") {
    checkOwnDatabase(path);
    // SQLite gives its -wal and -shm files the mode of the database, so this covers all three.
    makeOwnFile(path);
  }
  const db = new Database(path);
  try {
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = NORMAL");
    db.pragma("secure_delete = ON");
    // A checkpoint waits for the disk: at the default 1,000 pages one message in a hundred pays it.
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    db.pragma(`cache_size = ${CACHE}`);
    db.pragma("foreign_keys = ON");
    migrate(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: HubDatabase, path: string): void {
  const found = Number(db.pragma("user_version", { simple: true }));
  if (found !== 0 && !MIGRATIONS.some(({ version }) => version === found)) {
    // Another version has other tables. With these, only the number is wrong.
    if (schemaOf(db) === schemaOf(openFile(":memory:"))) throw damagedError("hub");
    throw startError("database_other_version", path);
  }
  db.transaction(() => {
    for (const { version, sql } of MIGRATIONS) {
      if (version <= found) continue;
      db.exec(sql);
      db.pragma(`user_version = ${version}`);
    }
  }).immediate();
}

const schemaOf = (db: HubDatabase): string =>
  JSON.stringify(db.prepare("SELECT sql FROM sqlite_schema ORDER BY type, name").pluck().all());
