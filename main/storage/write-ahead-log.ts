import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import type { Database } from "better-sqlite3";
import { storeError, toStoreError } from "../../runtime/sqlite/store-error.ts";
import type { CommitListener } from "./group-commit.ts";

/** Another thread, with its own connection that can copy pages into the database file. */
export interface FoldingThread {
  /**
   * Copies what can be copied; resolves to the number of frames that the write-ahead log then had.
   */
  fold(): Promise<number>;
  /** Resolves to false if a reader was in the way. */
  empty(): Promise<boolean>;
  /** Between its first job and its end. */
  readonly isUp: boolean;
  /** Closes its connection, unless it has a job. The next job starts it again. */
  end(): void;
  close(): void;
}

/** Runs work while nothing is committed. */
export type Hold = <T>(work: () => Promise<T>) => Promise<T>;

/** Number of commits between two checkpoints by the thread: some hundreds of frames. */
const COMMITS_UNFOLDED = 192;
/** After this many frames, the log is restarted from its beginning: about 16 MB. */
const LONG_FRAMES = 4_000;
/**
 * Frames after which a commit makes a checkpoint itself, if there is no thread: SQLite's default.
 */
const USUAL_FRAMES = 1_000;
/** The same if the thread falls behind or has ended: the file must stay bounded. */
const LAST_RESORT_FRAMES = 16_000;
/** Checkpoints before commits are held: each leaves less for the next to copy and sync. */
const TURNS = 2;

const keep = promisify(fdatasync);

/**
 * SQLite's write-ahead log, which still contains what was deleted from the database itself. If
 * there is another thread, it copies pages into the database, a few at a time, so that neither a
 * call's commit nor this thread has to wait.
 */
export class WriteAheadLog implements CommitListener {
  readonly #db: Database;
  readonly #patienceMs: number;
  readonly #thread: FoldingThread | null;
  readonly #hold: Hold;
  /** Purged records may still be in it; what the last session left is unknown. */
  #holdsPurged = true;
  #unfolded = 0;
  /** The thread had a job since the last `rest`. */
  #wasUsed = false;
  #folding: Promise<void> | undefined;
  /** The database file, opened without SQLite. */
  #file: number | undefined;

  /** @param thread null: commits make all checkpoints, as SQLite does by default */
  constructor(db: Database, thread: FoldingThread | null, hold: Hold) {
    this.#db = db;
    this.#thread = thread;
    this.#hold = hold;
    this.#patienceMs = Number(db.pragma("busy_timeout", { simple: true }));
    const frames = thread === null ? USUAL_FRAMES : LAST_RESORT_FRAMES;
    db.pragma(`wal_autocheckpoint = ${frames}`);
  }

  /**
   * For work that writes a lot, between two of its steps: waits until the thread has copied and
   * synced everything so far, so that nothing of it is left for a moment in which commits are held.
   */
  async fold(): Promise<void> {
    const thread = this.#thread;
    if (thread === null) return;
    await this.#alone(async () => {
      const frames = await this.#turn(thread);
      if (frames > LONG_FRAMES) await this.#restart(thread);
    });
  }

  committed(): void {
    this.#unfolded += 1;
    if (this.#thread === null || this.#unfolded < COMMITS_UNFOLDED) return;
    if (this.#folding !== undefined) return;
    this.#noteFolding(this.#foldBy(this.#thread));
  }

  /**
   * Between transactions: copies the log into the database and empties it, if it may still contain
   * purged records. It does not wait for a reader, because calls would have to wait too; the next
   * run tries again, also after a disk error.
   * @param purged records deleted since the last time
   * @throws StoreError if the disk fails
   */
  async emptyAfter(purged: number): Promise<void> {
    const thread = this.#thread;
    if (thread === null) {
      this.emptyAfterNow(purged);
    } else if (this.#mayHoldPurged(purged)) {
      this.#holdsPurged = !(await this.#alone(() => this.#emptyBy(thread)));
    }
  }

  /**
   * Ends the thread if it has had nothing to do since the last call. Everything is copied and synced first:
   * an error of what its connection has copied may be reported to no later one.
   */
  rest(): void {
    const thread = this.#thread;
    const isQuiet = !this.#wasUsed && this.#folding === undefined;
    this.#wasUsed = false;
    if (thread?.isUp !== true || !isQuiet) return;
    this.#noteFolding(this.#emptyBy(thread).then((isDone) => isDone && thread.end()));
    this.#wasUsed = false;
  }

  async #emptyBy(thread: FoldingThread): Promise<boolean> {
    const isDone = await this.#hold(() => thread.empty());
    if (isDone) this.#unfolded = 0;
    return isDone;
  }

  /** As `emptyAfter`, synchronously. */
  emptyAfterNow(purged: number): void {
    if (this.#mayHoldPurged(purged)) this.#holdsPurged = !this.emptyNow();
  }

  /**
   * Outside any transaction, whatever the log contains.
   * @returns false if a reader was in the way
   * @throws StoreError `store_unwritable`
   */
  emptyNow(): boolean {
    try {
      this.#db.pragma("busy_timeout = 0");
      return truncated(this.#db);
    } catch (error) {
      throw toStoreError(error);
    } finally {
      this.#db.pragma(`busy_timeout = ${this.#patienceMs}`);
    }
  }

  #mayHoldPurged(purged: number): boolean {
    this.#holdsPurged ||= purged > 0;
    return this.#holdsPurged;
  }

  /** Ends the thread. Call `release` once the database is closed. */
  close(): void {
    this.#thread?.close();
  }

  /**
   * Only after every connection was closed: when a process closes any descriptor of a file, POSIX
   * releases all its locks on that file, including SQLite's.
   */
  release(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /**
   * Waits for other checkpoints first, so that this one is the thread's only work while commits are
   * held.
   */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#folding !== undefined) await this.#folding;
    const working = work();
    this.#noteFolding(working);
    return working;
  }

  #noteFolding(working: Promise<unknown>): void {
    this.#wasUsed = true;
    // If the disk fails or the thread has ended, commits make checkpoints themselves in the end.
    const over = (): void => {
      this.#folding = undefined;
    };
    this.#folding = working.then(over, over);
  }

  async #foldBy(thread: FoldingThread): Promise<void> {
    this.#unfolded = 0;
    const frames = await thread.fold();
    if (frames > LONG_FRAMES) await this.#restart(thread);
  }

  /**
   * Makes the next commit restart the log from its beginning, so that the file stays small. SQLite
   * does this by itself when everything is copied and synced. So commits are held for the last
   * checkpoint, and earlier ones leave little for it to copy and sync.
   */
  async #restart(thread: FoldingThread): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) await this.#turn(thread);
    await this.#hold(() => thread.fold());
  }

  /**
   * SQLite syncs copied pages only when a checkpoint reaches the end of the log; beside running
   * calls, that is only while commits are held. So the sync is done here, where nobody waits. If it
   * fails, the thread's connection, which is older, gets the error too.
   */
  async #turn(thread: FoldingThread): Promise<number> {
    const frames = await thread.fold();
    this.#file ??= openSync(this.#db.name, "r+");
    try {
      await keep(this.#file);
    } catch (error) {
      throw storeError("store_unwritable", { details: "fold", cause: error });
    }
    return frames;
  }
}

interface Checkpointed {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/** Copies what can be copied without blocking anyone. */
export const copied = (db: Database): Checkpointed => checkpoint(db, "PASSIVE");

/** @returns false if a reader was in the way */
export const truncated = (db: Database): boolean => checkpoint(db, "TRUNCATE").busy === 0;

function checkpoint(db: Database, mode: "PASSIVE" | "TRUNCATE"): Checkpointed {
  const [result] = db.pragma(`wal_checkpoint(${mode})`) as [Checkpointed];
  return result;
}
