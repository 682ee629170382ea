import Database from "better-sqlite3";
import { checkOwnDatabase, makeOwnFile, OwnFileError } from "../../crypto/own-file.ts";
import { HubError } from "../hub-error.ts";
import { initial } from "./migrations/0001-initial.ts";
import { queues } from "./migrations/0002-queues.ts";
import { agentTokens } from "./migrations/0003-agent-tokens.ts";
import { webhooks } from "./migrations/0004-webhooks.ts";
import { relationStates } from "./migrations/0005-relation-states.ts";
import { groups } from "./migrations/0006-groups.ts";
import { keys } from "./migrations/0007-keys.ts";
import { waitingBytes } from "./migrations/0008-waiting-bytes.ts";

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
];

const CHECKPOINT_PAGES = 8_000;

/**
 * Opens (or creates, mode 0600) the hub's database and brings it to the newest version.
 * @throws HubError "database_unusable" (damaged, not writable), "database_too_new"; OwnFileError
 */
export function openDatabase(path: string): HubDatabase {
  let db: HubDatabase | undefined;
  try {
    // SQLite gives its -wal and -shm files the mode of the database, so this covers all three.
    if (path !== ":memory:") {
      checkOwnDatabase(path);
      makeOwnFile(path);
    }
    db = new Database(path);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = NORMAL");
    db.pragma("secure_delete = ON");
    // A checkpoint waits for the disk: at the default 1,000 pages one message in a hundred pays it.
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    db.pragma("foreign_keys = ON");
    migrate(db);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof HubError || error instanceof OwnFileError) throw error;
    throw new HubError("database_unusable", { cause: error });
  }
}

function migrate(db: HubDatabase): void {
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version > MIGRATIONS.length) throw new HubError("database_too_new");
  const pending = MIGRATIONS.slice(version);
  db.transaction(() => {
    for (const sql of pending) db.exec(sql);
    db.pragma(`user_version = ${MIGRATIONS.length}`);
  }).immediate();
}
