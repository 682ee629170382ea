import Database from "better-sqlite3";
import { checkOwnDatabase, makeOwnFile, OwnFileError } from "../../crypto/own-file.ts";
import { setAsideDatabase } from "../../crypto/set-aside.ts";
import { HubError } from "../hub-error.ts";
import type { HubRecovery } from "../hub-options.ts";
import { DamagedError, isDamage } from "./is-damage.ts";
import { initial } from "./migrations/0001-initial.ts";
import { queues } from "./migrations/0002-queues.ts";
import { agentTokens } from "./migrations/0003-agent-tokens.ts";
import { webhooks } from "./migrations/0004-webhooks.ts";
import { relationStates } from "./migrations/0005-relation-states.ts";
import { groups } from "./migrations/0006-groups.ts";
import { keys } from "./migrations/0007-keys.ts";
import { waitingBytes } from "./migrations/0008-waiting-bytes.ts";
import { platformNames } from "./migrations/0009-platform-names.ts";
import { Standby } from "./standby.ts";

export type HubDatabase = Database.Database;

/** The nth entry brings a database from version n to n+1. Entries are never changed or removed. */
const MIGRATIONS: readonly string[] = [
  initial,
  queues,
  agentTokens,
  webhooks,
  relationStates,
  groups,
  keys,
  waitingBytes,
  platformNames,
];

const CHECKPOINT_PAGES = 8_000;
/** KiB of pages that are kept, as SQLite wants it: what it keeps, the system's own cache has too. */
const CACHE = -4_000;

export interface OpenedHubDatabase {
  readonly db: HubDatabase;
  /** Null: the file was intact. */
  readonly recovery: HubRecovery | null;
}

/**
 * Opens (or creates, mode 0600) the hub's database and migrates it to the newest version. A damaged
 * one is moved aside whole; a new one is filled from the copy next to it (`standby.ts`).
 * @param now milliseconds since the epoch
 * @throws HubError "database_unusable" (not writable), "database_too_new"; OwnFileError
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
    if (error instanceof HubError || error instanceof OwnFileError) throw error;
    throw new HubError("database_unusable", { cause: error }, path);
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
    if (check !== "ok") throw new DamagedError("hub");
    const standby = new Standby(db, path, now);
    const isNew = db.prepare("SELECT 1 FROM settings LIMIT 1").get() === undefined;
    if (!isNew && !standby.holds()) throw new DamagedError("hub");
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
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version > MIGRATIONS.length) {
    // Whoever knows more migrations has other tables. With these, only the number is wrong.
    if (schemaOf(db) === schemaOf(openFile(":memory:"))) throw new DamagedError("hub");
    throw new HubError("database_too_new", {}, path);
  }
  const pending = MIGRATIONS.slice(version);
  db.transaction(() => {
    for (const sql of pending) db.exec(sql);
    db.pragma(`user_version = ${MIGRATIONS.length}`);
  }).immediate();
}

const schemaOf = (db: HubDatabase): string =>
  JSON.stringify(db.prepare("SELECT sql FROM sqlite_schema ORDER BY type, name").pluck().all());
