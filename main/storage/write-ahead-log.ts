import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import type { Database } from "better-sqlite3";
import type { Follower } from "./group-commit.ts";
import { StoreError, toStoreError } from "./store-error.ts";

/** Another thread, whose own connection can copy pages into the database file. */
export interface FoldingThread {
  /** Copies what can be copied; resolves to the frames the write-ahead log then held. */
  fold(): Promise<number>;
  /** Resolves to false when a reader was in the way. */
  empty(): Promise<boolean>;
  /** Reads what a purge of that many records would, so that it need not wait for the disk. */
  warm(records: number): Promise<void>;
  close(): void;
}

/** Runs work while nothing is committed. */
export type Hold = <T>(work: () => Promise<T>) => Promise<T>;

/** Commits between two foldings by the thread: some hundreds of frames. */
const COMMITS_UNFOLDED = 64;
/** Frames after which the log is written at its beginning again: about 16 MB. */
const LONG_FRAMES = 4_000;
/** Frames after which a commit folds by itself: SQLite's own number, where there is no thread. */
const USUAL_FRAMES = 1_000;
/** The same for when the thread fell behind or is gone: the file must stay bounded. */
const LAST_RESORT_FRAMES = 16_000;
/** Turns before commits are held: each leaves less for the next one to copy and to keep. */
const TURNS = 2;

const keep = promisify(fdatasync);

/**
 * SQLite's write-ahead log, which still contains what was deleted from the database itself. If there
 * is another thread, it copies pages into the database, a few at a time, so that neither a call's
 * commit nor this thread has to wait.
 */
export class WriteAheadLog implements Follower {
  readonly #db: Database;
  readonly #patienceMs: number;
  readonly #thread: FoldingThread | null;
  readonly #hold: Hold;
  /** Purged records may still be in it; what the last session left is unknown. */
  #holdsPurged = true;
  #unfolded = 0;
  #folding: Promise<void> | undefined;
  /** The database file, opened past SQLite. */
  #file: number | undefined;

  /** @param thread null: commits do it all, as SQLite does by itself */
  constructor(db: Database, thread: FoldingThread | null, hold: Hold) {
    this.#db = db;
    this.#thread = thread;
    this.#hold = hold;
    this.#patienceMs = Number(db.pragma("busy_timeout", { simple: true }));
    const frames = thread === null ? USUAL_FRAMES : LAST_RESORT_FRAMES;
    db.pragma(`wal_autocheckpoint = ${frames}`);
  }

  /**
   * For work that writes much, between two of its steps: waits until the thread has copied what
   * there is and the disk has it, so that neither is left for a moment in which commits are held.
   */
  async fold(): Promise<void> {
    const thread = this.#thread;
    if (thread === null) return;
    await this.#alone(async () => {
      const frames = await this.#turn(thread);
      if (frames > LONG_FRAMES) await this.#restart(thread);
    });
  }

  /** Has the pages read ahead that a purge of that many records needs. */
  async warm(records: number): Promise<void> {
    // What cannot be read ahead is read when it is needed, and fails there if it must.
    await this.#thread?.warm(records).catch(() => undefined);
  }

  committed(): void {
    this.#unfolded += 1;
    if (this.#thread === null || this.#unfolded < COMMITS_UNFOLDED) return;
    if (this.#folding !== undefined) return;
    this.#noteFolding(this.#foldBy(this.#thread));
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
   * Between transactions: copies it into the database and empties it, if purged records may still be in
   * it. It does not wait for a reader, because calls would have to wait too; the next run does it, also
   * after a disk error.
   * @param purged records that went since the last time
   * @throws StoreError on a disk that fails
   */
  async emptyAfter(purged: number): Promise<void> {
    const thread = this.#thread;
    if (thread === null) {
      this.emptyAfterNow(purged);
    } else if (this.#mayHoldPurged(purged)) {
      const emptied = await this.#alone(() => this.#hold(() => thread.empty()));
      this.#holdsPurged = !emptied;
    }
  }

  /** The same before it returns. */
  emptyAfterNow(purged: number): void {
    if (this.#mayHoldPurged(purged)) this.#holdsPurged = !this.emptyNow();
  }

  /**
   * Outside any transaction, whatever it holds.
   * @returns false when a reader was in the way
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

  /** Ends the thread; `release` follows once the database is closed. */
  close(): void {
    this.#thread?.close();
  }

  /**
   * Only when no connection is left: POSIX takes every lock of a process from a file as soon as
   * the process closes any descriptor of it, SQLite's among them.
   */
  release(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Behind no other folding: what commits are held for is then all that the thread has to do. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#folding !== undefined) await this.#folding;
    const working = work();
    this.#noteFolding(working);
    return working;
  }

  #noteFolding(working: Promise<unknown>): void {
    // A disk that fails, or a thread that ended: commits fold by themselves in the end.
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
   * The next commit is written at the log's beginning again, so that the file stays small: it does
   * so by itself when it finds everything copied and kept. So commits are held for the last turn,
   * and what it must copy, and wait for the disk to keep, is made little before.
   */
  async #restart(thread: FoldingThread): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) await this.#turn(thread);
    await this.#hold(() => thread.fold());
  }

  /**
   * SQLite asks the disk to keep copied pages only when a turn finds nothing new behind what it
   * copied: beside calls, that is when they are held. So it is asked for here, where nobody waits.
   * What fails here fails there too: the thread's connection is older, and hears of it as well.
   */
  async #turn(thread: FoldingThread): Promise<number> {
    const frames = await thread.fold();
    this.#file ??= openSync(this.#db.name, "r+");
    try {
      await keep(this.#file);
    } catch (error) {
      throw new StoreError("store_unwritable", "fold", { cause: error });
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

/** @returns false when a reader was in the way */
export const truncated = (db: Database): boolean => checkpoint(db, "TRUNCATE").busy === 0;

function checkpoint(db: Database, mode: "PASSIVE" | "TRUNCATE"): Checkpointed {
  const [result] = db.pragma(`wal_checkpoint(${mode})`) as [Checkpointed];
  return result;
}
