import type { Database } from "better-sqlite3";
import { toStoreError } from "../../runtime/sqlite/store-error.ts";

/**
 * SQLite's write-ahead log. SQLite copies it into the database by itself, with a commit after each 1,000 pages; what
 * a purge has deleted there is still in the log until that is emptied.
 */
export class WriteAheadLog {
  readonly #db: Database;
  readonly #patienceMs: number;
  /** Purged records may still be in it; what the last session left is unknown. */
  #holdsPurged = true;

  constructor(db: Database) {
    this.#db = db;
    this.#patienceMs = Number(db.pragma("busy_timeout", { simple: true }));
  }

  /**
   * Between transactions: empties the log if it may contain purged records. It does not wait for a reader,
   * because calls would have to wait too; the next run tries again, also after a disk error.
   * @param purged records deleted since the last time
   * @throws StoreError if the disk fails
   */
  emptyAfter(purged: number): void {
    this.#holdsPurged ||= purged > 0;
    if (this.#holdsPurged) this.#holdsPurged = !this.emptyNow();
  }

  /**
   * Outside any transaction, whatever the log contains.
   * @returns false if a reader was in the way
   * @throws StoreError `store_unwritable`
   */
  emptyNow(): boolean {
    try {
      this.#db.pragma("busy_timeout = 0");
      const [result] = this.#db.pragma("wal_checkpoint(TRUNCATE)") as [{ readonly busy: number }];
      return result.busy === 0;
    } catch (error) {
      throw toStoreError(error);
    } finally {
      this.#db.pragma(`busy_timeout = ${this.#patienceMs}`);
    }
  }
}
