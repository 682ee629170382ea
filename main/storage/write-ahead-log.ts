import type { Database } from "better-sqlite3";
import type { Follower } from "./group-commit.ts";
import { StoreError, toStoreError } from "./store-error.ts";

interface Checkpointed {
  readonly busy: number;
}

/** Another thread, whose own connection can copy pages into the database file. */
export interface FoldingThread {
  /** Resolves to the frames in the write-ahead log when it began. */
  fold(): Promise<number>;
}

/** Commits between two foldings by the thread: some hundreds of frames. */
const COMMITS_UNFOLDED = 64;
/** Frames after which the log is written at its beginning again: about 16 MB. */
const LONG_FRAMES = 4_000;
/** Frames after which a commit folds by itself: SQLite's own number, where there is no thread. */
const USUAL_FRAMES = 1_000;
/** The same for when the thread fell behind or is gone: the file must stay bounded. */
const LAST_RESORT_FRAMES = 16_000;

/**
 * SQLite's write-ahead log, which still holds what was deleted from the database itself. Where
 * there is another thread, that one copies pages into the database, now and then and never many,
 * so that no call waits for it within its commit.
 */
export class WriteAheadLog implements Follower {
  readonly #db: Database;
  readonly #patienceMs: number;
  readonly #thread: FoldingThread | null;
  #unfolded = 0;
  #folding: Promise<void> | undefined;

  /** @param thread null: commits do it all, as SQLite does by itself */
  constructor(db: Database, thread: FoldingThread | null) {
    this.#db = db;
    this.#thread = thread;
    this.#patienceMs = Number(db.pragma("busy_timeout", { simple: true }));
    const frames = thread === null ? USUAL_FRAMES : LAST_RESORT_FRAMES;
    db.pragma(`wal_autocheckpoint = ${frames}`);
  }

  /**
   * For work that writes much, between two of its steps: waits until the thread has copied what
   * there is, so that the log does not grow without end.
   */
  async fold(): Promise<void> {
    if (this.#thread === null) return;
    await this.#folding;
    await this.#foldBy(this.#thread, 0);
  }

  committed(): void {
    this.#unfolded += 1;
    if (this.#thread === null || this.#unfolded < COMMITS_UNFOLDED) return;
    if (this.#folding !== undefined) return;
    this.#folding = this.#foldBy(this.#thread, LONG_FRAMES)
      // A disk that fails, or a thread that ended: commits fold by themselves in the end.
      .catch(() => undefined)
      .finally(() => {
        this.#folding = undefined;
      });
  }

  mark(): void {
    // Only what is durable can be folded.
  }

  restore(): void {
    // As above.
  }

  rolledBack(): void {
    // As above.
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

  /**
   * Once it held more than `longest` frames, the next commit is written at its beginning again:
   * the file stays small. What is left to copy then is only what was written meanwhile.
   */
  async #foldBy(thread: FoldingThread, longest: number): Promise<void> {
    this.#unfolded = 0;
    const frames = await thread.fold();
    if (frames <= longest) return;
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
