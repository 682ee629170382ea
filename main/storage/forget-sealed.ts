import { closeSync, fsyncSync, openSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { asideName } from "../../runtime/files/own-file.ts";
import { openDatabase } from "../../runtime/sqlite/open-database.ts";
import { toStoreError } from "../../runtime/sqlite/store-error.ts";
import { storeDatabase } from "./store-database.ts";

export interface Forgotten {
  /** Everything under the host key; the key records, with all that was granted; or nothing. */
  readonly rows: keyof typeof ERASING;
  /** Names of stored values that belong to what is erased. */
  readonly values: readonly string[];
}

const RECORDS = "DELETE FROM key_records;";
const MESSAGES = `
  UPDATE conversations SET about = NULL, forgotten_seq = max(forgotten_seq, ifnull(
    (SELECT max(seq) FROM messages WHERE messages.conversation_id = conversations.conversation_id
       AND state = 'received'), 0));
  DELETE FROM messages;
  DELETE FROM kept_bytes;`;
const GRANTS = `
  DELETE FROM grants;
  DELETE FROM silence_windows;
  DELETE FROM rules WHERE effect = 'allow';`;
const TARGETS = `
  DELETE FROM call_targets;
  DELETE FROM shown_requests;
  DELETE FROM kept_changes;
  DELETE FROM kept_contents;`;
const ERASING = {
  all: RECORDS + MESSAGES + TARGETS,
  records: RECORDS + GRANTS,
  none: null,
} as const;

/**
 * For a database that nobody has open. Before anything is erased, a complete copy is durable next
 * to it.
 * @param now milliseconds since the epoch, for the copy's name
 * @returns the copy's path; null if none was needed
 * @throws StoreError
 */
export function forgetSealed(
  dataDir: string,
  now: number,
  { rows, values }: Forgotten,
): string | null {
  const { db, path } = openDatabase(storeDatabase(dataDir, now));
  const erasing = ERASING[rows];
  try {
    const copy = erasing === null ? null : copyAside(db, path, now);
    db.transaction(() => {
      if (erasing !== null) db.exec(erasing);
      const forget = db.prepare("DELETE FROM kept_values WHERE name = ?");
      for (const name of values) forget.run(name);
    })();
    return copy;
  } catch (error) {
    throw toStoreError(error);
  } finally {
    db.close();
  }
}

function copyAside(db: Database, path: string, now: number): string {
  const copy = asideName(path, "keys-lost", now);
  // SQLite writes into an existing empty file and keeps its mode.
  const file = openSync(copy, "wx", 0o600);
  try {
    db.prepare("VACUUM INTO ?").run(copy);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return copy;
}
