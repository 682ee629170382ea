import { lockFile } from "../../runtime/files/file-lock.ts";
import { ownFileError } from "../../runtime/files/own-file.ts";
import { startError } from "../hub-error.ts";
import type { Clock, HubOptions, Log, RandomBytes, Scheduler } from "../hub-options.ts";
import type { HubStorage } from "../hub-storage.ts";
import { SentRecently } from "../limits/agent-limits.ts";
import { FullHistories } from "../limits/full-histories.ts";
import { FreshMessages } from "./fresh-messages.ts";
import { GroupCommit, HELD_AT_MOST } from "./group-commit.ts";
import { type HubDatabase, openDatabase } from "./open-database.ts";
import { queueRows } from "./queue-rows.ts";
import { sqliteStorage } from "./sqlite-storage.ts";

const TOKEN_SECRET_BYTES = 32;

export interface StorageOptions
  extends Pick<HubOptions, "databasePath" | "recovered" | "limits" | "monotonic"> {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly random: RandomBytes;
  readonly log: Log;
}

/** @throws HubError "database_in_use", "database_unusable", "database_other_version"; OwnFileError */
export async function openStorage(options: StorageOptions): Promise<HubStorage> {
  const { databasePath, clock, random, log, recovered, limits = {} } = options;
  const release = lockDatabase(databasePath);
  try {
    const { db, recovery } = openDatabase(databasePath, clock.now());
    if (recovery !== null) recovered?.(recovery);
    const closedWell = noteOpened(db);
    const queues = queueRows(db);
    const fresh = new FreshMessages(db, queues);
    const commits = new GroupCommit(db, log, fresh);
    const sent = new SentRecently(limits, options.monotonic ?? performance);
    const parts = { commits, fresh, queues, sent, fullHistories: new FullHistories() };
    return {
      nodes: null,
      async localPerson(userId) {
        const kept = settingOrCreate(db, "local_user_id", () => Buffer.from(userId, "utf8"));
        return Buffer.from(kept).toString("utf8");
      },
      tokenSecret: settingOrCreate(db, "access_token_secret", () => random(TOKEN_SECRET_BYTES)),
      ...sqliteStorage(db, parts),
      async close() {
        // If this or what is still held cannot be written, numbers are skipped at the next start.
        commits.add(closedWell).catch(() => undefined);
        commits.flush();
        db.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** One hub per database: two would each deliver only what they know. */
function lockDatabase(path: string): () => void {
  if (path === ":memory:") return () => undefined;
  let release: (() => void) | null;
  try {
    release = lockFile(`${path}.lock`);
  } catch (error) {
    if (ownFileError.is(error)) throw error;
    throw startError("database_unusable", path, { cause: error });
  }
  if (release === null) throw startError("database_in_use", path);
  return release;
}

/**
 * Numbers that were given before a crash, but never stored, are not given again.
 * @returns to be called before the database is closed: without it, numbers are skipped at the next start
 */
function noteOpened(db: HubDatabase): () => void {
  const note = db.prepare("INSERT INTO settings (name, value) VALUES ('open', x'01')");
  const skip = db.prepare("UPDATE conversations SET last_seq = last_seq + ?");
  const forget = db.prepare("DELETE FROM settings WHERE name = 'open'");
  db.transaction(() => {
    if (forget.run().changes > 0) skip.run(HELD_AT_MOST);
    note.run();
  }).immediate();
  return () => void forget.run();
}

/** A value that is created once and never changes: the local person's id, the token secret. */
function settingOrCreate(db: HubDatabase, name: string, create: () => Uint8Array): Uint8Array {
  const read = db.prepare<[string], { value: Uint8Array }>(
    "SELECT value FROM settings WHERE name = ?",
  );
  return db
    .transaction(() => {
      const present = read.get(name);
      if (present !== undefined) return present.value;
      const value = create();
      db.prepare("INSERT INTO settings (name, value) VALUES (?, ?)").run(name, value);
      return value;
    })
    .immediate();
}
