import type { Database, Statement } from "better-sqlite3";
import { storeError, toStoreError } from "../../runtime/sqlite/store-error.ts";

/**
 * State in memory that must agree with the database. `mark` and `restore` surround one write;
 * `committed` and `rolledBack` end the transaction. What reads its table again after a rollback needs no `mark`.
 */
export interface CommitListener {
  mark?(): void;
  restore?(): void;
  committed?(): void;
  rolledBack?(): void;
}

interface Job {
  readonly write: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How many groups a yielding write lets go first, at most; otherwise it might never run. */
const YIELDS_MAX = 8;

/** How long a patient write waits for another to share its transaction with, in ms. */
const PATIENCE_MS = 20;

/** The result of one write before its transaction is committed. */
type Attempt =
  | { readonly job: Job; readonly ok: true; readonly value: unknown }
  | { readonly job: Job; readonly ok: false; readonly error: unknown };

/**
 * All writes requested in one turn of the event loop become one transaction and one fsync, in the
 * order requested. A write that throws undoes only itself; a commit that fails rejects them all,
 * and nothing is stored.
 *
 * A savepoint costs about as much as a write, so a group gets them only when it is written again
 * because one of its writes threw. A write may therefore run twice: it must change only the database
 * and what its listeners restore.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #begin: Statement<[]>;
  readonly #commit: Statement<[]>;
  readonly #savepoint: Statement<[]>;
  readonly #release: Statement<[]>;
  readonly #rollbackTo: Statement<[]>;
  readonly #listeners: readonly CommitListener[];
  readonly #failed: () => void;
  readonly #riders = new Map<string, () => void>();
  #queue: Job[] = [];
  /** A write that lets all others go first. */
  #yielding: Job | undefined;
  /** How many groups were written since it was requested. */
  #yielded = 0;
  #scheduled = false;
  /** Ends the wait of patient writes. */
  #patience: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param failed called when a transaction could not be stored, before its writes are rejected */
  constructor(db: Database, listeners: readonly CommitListener[], failed: () => void = () => {}) {
    this.#db = db;
    this.#failed = failed;
    this.#listeners = listeners;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.#savepoint = db.prepare("SAVEPOINT one_write");
    this.#release = db.prepare("RELEASE one_write");
    this.#rollbackTo = db.prepare("ROLLBACK TO one_write");
  }

  /**
   * Resolves once `write` is durable.
   * @param write synchronous; may throw
   * @throws StoreError `store_unwritable`, `store_refused`, `store_corrupt`, `store_closed`
   */
  enqueue<T>(write: () => T): Promise<T> {
    const durable = this.#queued(write);
    this.soon();
    return durable;
  }

  /** Everything waiting is written at the end of this turn. */
  soon(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    // setImmediate rather than a microtask: calls that arrived in the same poll of the sockets
    // share an fsync, and the next timer is not delayed by a chain of microtask commits.
    setImmediate(() => {
      this.flush();
    });
  }

  /** Like `enqueue`, for a write that nobody awaits: written with the next one, or soon. */
  enqueuePatient<T>(write: () => T): Promise<T> {
    const durable = this.#queued(write);
    if (this.#closed) return durable;
    this.#patience ??= setTimeout(() => {
      this.flush();
    }, PATIENCE_MS);
    return durable;
  }

  #queued<T>(write: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(storeError("store_closed"));
    return new Promise<T>((resolve, reject) => {
      // The type of the promise is that of its write.
      this.#queue.push({ write, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /**
   * Like `enqueue`, for a write that nobody awaits: it gets its own transaction in a turn without
   * other writes, or after some busy turns. One at a time.
   */
  enqueueYielding<T>(write: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(storeError("store_closed"));
    if (this.#yielding !== undefined) {
      return Promise.reject(storeError("store_refused", { details: "transaction" }));
    }
    return new Promise<T>((resolve, reject) => {
      this.#yielding = { write, resolve: resolve as (value: unknown) => void, reject };
      this.#yielded = 0;
      setImmediate(() => this.#turn());
    });
  }

  #turn(): void {
    const job = this.#yielding;
    if (job === undefined) return;
    if (this.#queue.length > 0 && this.#yielded < YIELDS_MAX) {
      this.flush();
      setImmediate(() => this.#turn());
      return;
    }
    this.#yielding = undefined;
    this.#transact([job]);
  }

  /**
   * Writes with the next transaction, whenever that is; a later write with the same `key` replaces
   * it.
   */
  ride(key: string, write: () => void): void {
    this.#riders.set(key, write);
  }

  /** Commits everything waiting, then `write` in its own transaction, before it returns. */
  runNow<T>(write: () => T): T {
    if (this.#closed) throw storeError("store_closed");
    this.flush();
    let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
    this.#transact([
      {
        write: () => write(),
        resolve: (value) => {
          outcome = { value: value as T };
        },
        reject: (error) => {
          outcome = { error };
        },
      },
    ]);
    if (outcome === undefined) throw storeError("store_unwritable", { details: "transaction" });
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  flush(): void {
    this.#scheduled = false;
    clearTimeout(this.#patience);
    this.#patience = undefined;
    if (this.#queue.length === 0) return;
    const jobs = this.#queue;
    this.#queue = [];
    this.#yielded += 1;
    this.#transact(jobs);
  }

  /** Commits everything waiting; afterwards every write is refused. */
  close(): void {
    this.flush();
    this.#closed = true;
    this.#yielding?.reject(storeError("store_closed"));
    this.#yielding = undefined;
  }

  #transact(jobs: readonly Job[]): void {
    const riders = [...this.#riders.values()];
    this.#riders.clear();
    let attempts: readonly Attempt[];
    try {
      attempts = this.#writeTogether(jobs, riders) ?? this.#writeApart(jobs, riders);
    } catch (error) {
      this.#undoAll();
      const reason = asCommitError(error);
      this.#failed();
      for (const job of jobs) job.reject(reason);
      return;
    }
    for (const listener of this.#listeners) listener.committed?.();
    for (const attempt of attempts) {
      if (attempt.ok) attempt.job.resolve(attempt.value);
      else attempt.job.reject(toStoreError(attempt.error));
    }
  }

  /** Undefined if a write threw: then nothing was written. */
  #writeTogether(
    jobs: readonly Job[],
    riders: readonly (() => void)[],
  ): readonly Attempt[] | undefined {
    this.#beginWith(riders);
    const attempts: Attempt[] = [];
    for (const job of jobs) {
      try {
        attempts.push({ job, ok: true, value: job.write() });
      } catch (error) {
        if (!this.#db.inTransaction) throw error;
        this.#undoAll();
        return undefined;
      }
    }
    this.#commit.run();
    return attempts;
  }

  #writeApart(jobs: readonly Job[], riders: readonly (() => void)[]): readonly Attempt[] {
    this.#beginWith(riders);
    const attempts = jobs.map((job) => this.#attempt(job));
    this.#commit.run();
    return attempts;
  }

  #beginWith(riders: readonly (() => void)[]): void {
    this.#begin.run();
    const nobody = { resolve: () => undefined, reject: () => undefined };
    for (const write of riders) this.#attempt({ write, ...nobody });
  }

  #attempt(job: Job): Attempt {
    for (const listener of this.#listeners) listener.mark?.();
    this.#savepoint.run();
    try {
      const value = job.write();
      this.#release.run();
      return { job, ok: true, value };
    } catch (error) {
      // SQLite itself ends the transaction after some failures, such as a full disk: then nothing
      // of this group was stored.
      if (!this.#db.inTransaction) throw error;
      this.#rollbackTo.run();
      this.#release.run();
      for (const listener of this.#listeners) listener.restore?.();
      return { job, ok: false, error };
    }
  }

  #undoAll(): void {
    if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
    for (const listener of this.#listeners) listener.rolledBack?.();
  }
}

/** If a group could not be stored, it is unwritable, whichever write failed. */
function asCommitError(error: unknown): unknown {
  const mapped = toStoreError(error);
  if (storeError.is(mapped) && mapped.code === "store_unwritable") return mapped;
  return storeError("store_unwritable", { details: "commit", cause: error });
}
