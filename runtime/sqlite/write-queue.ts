import type { Database, Statement } from "better-sqlite3";
import { storeError, toStoreError } from "./store-error.ts";

interface Job {
  readonly write: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A write that ran, before its transaction is committed. */
type Attempt =
  | { readonly job: Job; readonly ok: true; readonly value: unknown }
  | { readonly job: Job; readonly ok: false; readonly error: unknown };

/** How long `runSoon` waits for another write to share its transaction with, in ms. */
const SOON_MS = 20;

/**
 * Group commit: all writes requested in one turn of the event loop become one transaction and one fsync, in the order
 * requested. Each has a savepoint, so one that throws undoes only itself. If the transaction fails, all its writes are
 * rejected and nothing is stored.
 *
 * A write is synchronous. Whatever it changes in memory, it also tells `onUndo` how to undo.
 */
export class WriteQueue {
  readonly #db: Database;
  readonly #begin: Statement<[]>;
  readonly #commit: Statement<[]>;
  readonly #savepoint: Statement<[]>;
  readonly #release: Statement<[]>;
  readonly #rollbackTo: Statement<[]>;
  readonly #failed: () => void;
  readonly #committed: (() => void)[] = [];
  readonly #piggybacks = new Map<string, () => void>();
  /** Undoes the changes in memory of the current transaction, the last one first. */
  #undos: (() => void)[] = [];
  #queue: Job[] = [];
  #scheduled: NodeJS.Immediate | undefined;
  #soon: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param failed called when a transaction failed, before its writes are rejected */
  constructor(db: Database, failed: () => void = () => {}) {
    this.#db = db;
    this.#failed = failed;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.#savepoint = db.prepare("SAVEPOINT one_write");
    this.#release = db.prepare("RELEASE one_write");
    this.#rollbackTo = db.prepare("ROLLBACK TO one_write");
  }

  /** Calls `listener` after each commit, in the order of registration and before any write resolves. */
  onCommit(listener: () => void): void {
    this.#committed.push(listener);
  }

  /** Within a write: calls `undo` if this write, or its transaction, is rolled back. */
  onUndo(undo: () => void): void {
    this.#undos.push(undo);
  }

  /**
   * Resolves with what `write` returns, once that is durable.
   * @throws StoreError `store_unwritable`, `store_refused`, `store_corrupt`, `store_closed`; what `write` throws
   */
  run<T>(write: () => T): Promise<T> {
    const durable = this.#add(write);
    this.commitSoon();
    return durable;
  }

  /** Like `run`, for a write that nobody waits for: it shares the next transaction within 20 ms. */
  runSoon<T>(write: () => T): Promise<T> {
    const durable = this.#add(write);
    if (!this.#closed) this.#soon ??= setTimeout(() => this.flush(), SOON_MS);
    return durable;
  }

  /**
   * Runs `write` with the next transaction, whenever that is. A later one with the same `key` replaces it.
   * @param key unique among all users of this queue
   */
  piggyback(key: string, write: () => void): void {
    this.#piggybacks.set(key, write);
  }

  /** Commits everything queued, then runs and commits `write` before it returns. */
  runNow<T>(write: () => T): T {
    if (this.#closed) throw storeError("store_closed");
    this.flush();
    let outcome: { readonly value: unknown } | { readonly error: unknown } | undefined;
    this.#transact([
      {
        write,
        resolve: (value) => {
          outcome = { value };
        },
        reject: (error) => {
          outcome = { error };
        },
      },
    ]);
    if (outcome === undefined) throw storeError("store_unwritable", { details: "transaction" });
    if ("error" in outcome) throw outcome.error;
    return outcome.value as T;
  }

  /** Commits everything queued at the end of this turn. */
  commitSoon(): void {
    // An immediate rather than a microtask: calls that arrived in the same poll of the sockets
    // share an fsync, and a chain of commits never delays the next timer.
    if (!this.#closed) this.#scheduled ??= setImmediate(() => this.flush());
  }

  /** Commits everything queued. */
  flush(): void {
    clearImmediate(this.#scheduled);
    clearTimeout(this.#soon);
    this.#scheduled = this.#soon = undefined;
    if (this.#queue.length === 0) return;
    const jobs = this.#queue;
    this.#queue = [];
    this.#transact(jobs);
  }

  /** Commits everything queued; afterwards every write is `store_closed`. */
  close(): void {
    this.flush();
    this.#closed = true;
  }

  #add<T>(write: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(storeError("store_closed"));
    return new Promise<T>((resolve, reject) => {
      // The promise has the type of its write.
      this.#queue.push({ write, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  #transact(jobs: readonly Job[]): void {
    let attempts: readonly Attempt[];
    try {
      this.#begin.run();
      this.#runPiggybacks();
      attempts = jobs.map((job) => this.#attempt(job));
      this.#commit.run();
    } catch (error) {
      this.#rollBack();
      this.#failed();
      const reason = asCommitError(error);
      for (const job of jobs) job.reject(reason);
      return;
    }
    this.#undos = [];
    for (const listener of this.#committed) listener();
    for (const attempt of attempts) {
      if (attempt.ok) attempt.job.resolve(attempt.value);
      else attempt.job.reject(toStoreError(attempt.error));
    }
  }

  #runPiggybacks(): void {
    const nobody = { resolve: () => {}, reject: () => {} };
    for (const [key, write] of this.#piggybacks) {
      this.#piggybacks.delete(key);
      this.#attempt({ write, ...nobody });
    }
  }

  #attempt(job: Job): Attempt {
    const undosBefore = this.#undos.length;
    this.#savepoint.run();
    try {
      const value = job.write();
      this.#release.run();
      return { job, ok: true, value };
    } catch (error) {
      // After some failures, such as a full disk, SQLite itself rolls the whole transaction back.
      if (!this.#db.inTransaction) throw error;
      this.#rollbackTo.run();
      this.#release.run();
      this.#undoTo(undosBefore);
      return { job, ok: false, error };
    }
  }

  #rollBack(): void {
    if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
    this.#undoTo(0);
  }

  #undoTo(length: number): void {
    for (const undo of this.#undos.splice(length).reverse()) undo();
  }
}

/** Whichever statement failed, a transaction that could not be stored is unwritable. */
function asCommitError(error: unknown): unknown {
  const mapped = toStoreError(error);
  if (storeError.is(mapped) && mapped.code === "store_unwritable") return mapped;
  return storeError("store_unwritable", { details: "commit", cause: error });
}
