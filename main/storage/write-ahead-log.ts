import type { Database } from "better-sqlite3";
import { StoreError, toStoreError } from "./store-error.ts";

interface Checkpointed {
  readonly busy: number;
}

/** Another thread, whose own connection can copy pages into the database file. */
export interface FoldingThread {
  fold(): Promise<void>;
}

/** Frames after which SQLite itself folds, within a commit. */
const USUAL_FRAMES = 1_000;

/** SQLite's write-ahead log, which still holds what was deleted from the database itself. */
export class WriteAheadLog {
  readonly #db: Database;
  readonly #patienceMs: number;
  readonly #thread: FoldingThread | null;

  /** @param thread null: commits do it all, as SQLite does by itself */
  constructor(db: Database, thread: FoldingThread | null) {
    this.#db = db;
    this.#thread = thread;
    this.#patienceMs = Number(db.pragma("busy_timeout", { simple: true }));
  }

  /**
   * For work that writes much: no commit folds, so that none takes long. Whoever calls this calls
   * the function it is given now and then; then another thread does the copying, and this one only
   * what was written meanwhile.
   */
  async withoutFolding(work: (fold: () => Promise<void>) => Promise<void>): Promise<void> {
    const thread = this.#thread;
    if (thread === null) return work(async () => {});
    this.#db.pragma("wal_autocheckpoint = 0");
    try {
      await work(async () => {
        await thread.fold();
        this.#beginAnew();
      });
    } finally {
      if (this.#db.open) this.#db.pragma(`wal_autocheckpoint = ${USUAL_FRAMES}`);
    }
  }

  /**
   * Outside any transaction: folds it into the database and leaves it empty. Whoever reads at this
   * moment is not waited for, because calls would wait too.
   * @returns false when a reader was in the way; the next time does it
   * @throws StoreError `store_unwritable` on a disk that fails; the next time does it too
   */
  empty(): boolean {
    return this.#checkpoint("TRUNCATE");
  }

  /** The next commit is written at its beginning again: the file stays small. */
  #beginAnew(): void {
    if (!this.#db.open) throw new StoreError("store_closed");
    this.#checkpoint("RESTART");
  }

  #checkpoint(mode: "RESTART" | "TRUNCATE"): boolean {
    try {
      this.#db.pragma("busy_timeout = 0");
      const [result] = this.#db.pragma(`wal_checkpoint(${mode})`) as [Checkpointed];
      return result.busy === 0;
    } catch (error) {
      throw toStoreError(error);
    } finally {
      this.#db.pragma(`busy_timeout = ${this.#patienceMs}`);
    }
  }
}
