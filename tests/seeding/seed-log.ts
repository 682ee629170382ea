import { LIMITS } from "../../app/contract/limits.ts";
import { CallsTable } from "../../main/storage/activity/calls-table.ts";
import { AuditChain } from "../../main/storage/audit-chain.ts";
import { CallLog, CarriedOutTable } from "../../main/storage/call-log.ts";
import { CallTargetTable } from "../../main/storage/call-targets.ts";
import { KnownCalls } from "../../main/storage/known-calls.ts";
import { SEALED_BYTES_PER_AGENT, SealedResults } from "../../main/storage/sealed-results.ts";
import { storeDatabase } from "../../main/storage/store-database.ts";
import { StoreStateTable } from "../../main/storage/stored-clock.ts";
import { SubjectDigests } from "../../main/storage/subjects/subject-digests.ts";
import { SubjectTable } from "../../main/storage/subjects/subject-table.ts";
import { openDatabase } from "../../runtime/sqlite/open-database.ts";
import { storeError, toStoreError } from "../../runtime/sqlite/store-error.ts";
import { PlausibleCalls } from "./plausible-calls.ts";
import { RandomNumbers } from "./random-numbers.ts";

type Database = ReturnType<typeof openDatabase>["db"];

export interface SeedOptions {
  /** Created if it does not exist; its log must be empty. */
  readonly dataDir: string;
  /** Records, not calls: a call that ran has two. */
  readonly count: number;
  /** Milliseconds since the epoch: the newest record's time; the oldest is 30 days before. */
  readonly now: number;
  /** The same seed gives the same log. */
  readonly seed: number;
  readonly onProgress?: (written: number) => void;
}

const BATCH = 50_000;
/** Nobody searches a made-up log by what its calls are about, except measurements with this key. */
export const SEED_KEY = new Uint8Array(32);
const CACHE_KIB = 1_048_576;
/** So that nothing expires in the first minutes after seeding. */
const YOUNGER_BY_MS = 3_600_000;

/**
 * Fills an empty log with made-up calls, chained and indexed like real ones, for measuring and for
 * looking at pages after a long time of use. Not for logs that matter: a crash halfway leaves a
 * damaged file.
 * @throws StoreError `store_refused` if the log is not empty
 */
export function seedLog(options: SeedOptions): void {
  const { db } = openDatabase(storeDatabase(options.dataDir, options.now));
  try {
    refuseFilled(db);
    // Not OFF, which better-sqlite3 does not allow: it would stay as it is.
    db.pragma("journal_mode = MEMORY");
    db.pragma("synchronous = OFF");
    db.pragma(`cache_size = -${CACHE_KIB}`);
    withoutIndexes(db, "calls", () => fill(db, options));
    db.pragma("journal_mode = WAL");
  } catch (error) {
    throw toStoreError(error);
  } finally {
    db.close();
  }
}

function refuseFilled(db: Database): void {
  const first = db.prepare("SELECT seq FROM audit_log LIMIT 1").get();
  if (first !== undefined) throw storeError("store_refused", { details: "audit_log" });
}

function fill(db: Database, { count, now, seed, onProgress }: SeedOptions): void {
  const chain = new AuditChain(db, undefined, () => {});
  const calls = new KnownCalls(db);
  const table = new CallsTable(db, calls);
  const results = new SealedResults(db, SEALED_BYTES_PER_AGENT);
  const subjects = new SubjectTable(db);
  const digests = new SubjectDigests(SEED_KEY);
  const reports = new CarriedOutTable(db);
  const log = new CallLog({
    chain,
    calls,
    results,
    table,
    reports,
    targets: new CallTargetTable(db),
  });
  const state = new StoreStateTable(db);
  const left = { highWater: now, wall: now, passed: now };
  state.write(false, { ...left, head: chain.head });
  const made = new PlausibleCalls(new RandomNumbers(seed));
  const begin = now - LIMITS.auditRetentionMs + YOUNGER_BY_MS;
  const batch = db.transaction((through: number) => {
    while (chain.head.seq < through) {
      const at = Math.floor(begin + ((now - begin) * chain.head.seq) / count);
      const { intent, outcome, args } = made.next(at);
      // There may be room for only one more record, but a call that ran needs two.
      const ran = intent !== null && chain.head.seq + 1 < through;
      const about = { subjects: () => digests.ofCall(args), target: () => null };
      if (ran) log.begin(intent, about);
      log.end(outcome, { sealed: null }, about);
    }
    table.fill();
    for (const follower of [calls, chain]) follower.committed();
  });
  for (let written = 0; written < count; ) {
    batch(Math.min(count, written + BATCH));
    db.transaction(() => subjects.index(BATCH))();
    written = chain.durableHead.seq;
    onProgress?.(written);
  }
  state.write(true, { ...left, head: chain.durableHead });
}

/** Building an index at the end, in its own order, takes a fraction of the time. */
function withoutIndexes(db: Database, table: string, work: () => void): void {
  const indexes = db
    .prepare<[string], { readonly name: string; readonly sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
    )
    .all(table);
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  work();
  for (const { sql } of indexes) db.exec(sql);
}
