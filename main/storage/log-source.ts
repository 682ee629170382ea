import type { Database, Statement } from "better-sqlite3";
import type { ChainedRecord } from "../../app/audit/audit-record.ts";
import type { ChainHead } from "../../app/audit/verify-chain.ts";
import { checkOwnDatabase } from "../../runtime/files/own-file.ts";
import { openToRead } from "../../runtime/sqlite/open-database.ts";
import { storeError, toStoreError } from "../../runtime/sqlite/store-error.ts";
import { SeqBounds } from "./activity/seq-bounds.ts";
import { type AuditRow, chainedRecordOf } from "./audit-row.ts";
import { databaseIn } from "./store-database.ts";
import { subjectsIn } from "./subjects/subject-table.ts";

/** A range of the log, including both ends. */
export interface SeqRange {
  readonly first: number;
  readonly last: number;
}

/** Milliseconds since the epoch, both ends included; null: open. */
export interface TimeRange {
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * The log up to its end at opening. It only grows and is read in short steps, so no transaction
 * stays open, which would keep purged records on the disk. In between, a purge can only delete
 * records from the beginning.
 */
export interface LogSource {
  /** The end as stored outside the log; `exact` if nothing can have been added since. */
  readonly remembered: { readonly head: ChainHead; readonly exact: boolean } | null;
  /** The oldest and the newest number; null for an empty log. */
  readonly extent: SeqRange | null;
  /**
   * At most `limit` records of the range, in order.
   * @throws StoreError `store_refused` if the first of them was purged meanwhile
   */
  page(range: SeqRange, limit: number): readonly ChainedRecord[];
  /** The digests of what calls are about, in lowercase hex, by the number of their outcome. */
  subjects(range: SeqRange): ReadonlyMap<number, readonly string[]>;
  /** The range of a period, because times never decrease along the log. Null: it is empty. */
  stretchOf(time: TimeRange): SeqRange | null;
  close(): void;
}

/**
 * Opens the log of a data folder through a separate read-only connection, even while the program is
 * running.
 * @throws StoreError
 */
export function openLog(dataDir: string): LogSource {
  try {
    const path = databaseIn(dataDir);
    checkOwnDatabase(path);
    const db = openToRead(path);
    try {
      return new StoredLog(db);
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw toStoreError(error);
  }
}

interface RememberedRow extends ChainHead {
  readonly clean: number;
}

class StoredLog implements LogSource {
  readonly remembered: LogSource["remembered"];
  readonly extent: SeqRange | null;
  readonly #db: Database;
  readonly #page: Statement<[number, number, number], AuditRow>;
  readonly #bounds: SeqBounds;
  readonly #oldest: Statement<[], number | null>;

  constructor(db: Database) {
    this.#db = db;
    // One snapshot for both the remembered head and the end of the log.
    db.exec("BEGIN");
    const row = db
      .prepare<[], RememberedRow>(
        "SELECT clean, head_seq AS seq, head_hash AS hash FROM store_state",
      )
      .get();
    this.remembered =
      row === undefined ? null : { head: { seq: row.seq, hash: row.hash }, exact: row.clean === 1 };
    const ends = db
      .prepare<[], { readonly first: number | null; readonly last: number | null }>(
        "SELECT (SELECT min(seq) FROM audit_log) AS first, (SELECT max(seq) FROM audit_log) AS last",
      )
      .get();
    this.extent =
      ends?.first == null || ends.last == null ? null : { first: ends.first, last: ends.last };
    db.exec("COMMIT");
    this.#page = db.prepare(
      "SELECT * FROM audit_log WHERE seq >= ? AND seq <= ? ORDER BY seq LIMIT ?",
    );
    this.#bounds = new SeqBounds(db);
    this.#oldest = db.prepare<[], number | null>("SELECT min(seq) FROM audit_log").pluck();
  }

  page({ first, last }: SeqRange, limit: number): readonly ChainedRecord[] {
    try {
      const rows = this.#page.all(first, last, limit);
      if (rows[0]?.seq !== first && this.#wasPurged(first)) {
        throw storeError("store_refused", { details: "purged" });
      }
      return rows.map(chainedRecordOf);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  subjects({ first, last }: SeqRange): ReadonlyMap<number, readonly string[]> {
    try {
      return subjectsIn(this.#db, first, last);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  stretchOf({ from, to }: TimeRange): SeqRange | null {
    if (this.extent === null) return null;
    const { above, below } = this.#bounds.of({ from, to: to === null ? null : to + 1 });
    const first = Math.max(this.extent.first, above + 1);
    const last = Math.min(this.extent.last, below - 1);
    return first > last ? null : { first, last };
  }

  close(): void {
    this.#db.close();
  }

  #wasPurged(seq: number): boolean {
    return (this.#oldest.get() ?? 0) > seq;
  }
}
