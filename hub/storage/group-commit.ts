import { faultOf } from "../hub-error.ts";
import type { Log } from "../hub-options.ts";
import type { HubDatabase } from "./open-database.ts";

/** How long a transaction stays open for further small writes, ms. */
const HOLD_MS = 25;
/** Writes and messages after which it is committed at once. A crash can undo no more than these. */
export const HELD_AT_MOST = 1_000;

/** Whom to tell what became of a transaction. */
export interface Held {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What is in memory until it is written with the rest of a transaction. */
export interface Unwritten {
  /** Called before anything else is written, and before the commit. If it throws, all of it is still in memory. */
  write(): void;
  committed(): void;
  /** What was not committed is undone, and what is in memory will not be written. */
  lost(): void;
}

/**
 * Combines the small writes of a short time into one transaction. Each takes effect when it is made;
 * reads on this connection see it from then on. Commits happen in the order of the writes.
 */
export class GroupCommit {
  readonly #db: HubDatabase;
  readonly #log: Log;
  readonly #unwritten: Unwritten;
  readonly #begin;
  readonly #end;
  /** Made once: making one takes longer than a small write. It returns what its write returns. */
  readonly #run;
  #held: Held[] = [];
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Immediate | undefined;

  constructor(db: HubDatabase, log: Log, unwritten: Unwritten) {
    this.#db = db;
    this.#log = log;
    this.#unwritten = unwritten;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#end = db.prepare("COMMIT");
    this.#run = db.transaction((write: () => unknown) => write());
  }

  /**
   * Resolves when the write is committed.
   * @throws what the write throws; it is undone then, and no other
   */
  async add<Value>(write: () => Value): Promise<Value> {
    const value = this.within(() => {
      // Inside a transaction each of these is a savepoint.
      this.#run(() => this.#unwritten.write());
      return this.#run(write) as Value;
    });
    await this.committed();
    return value;
  }

  /**
   * For what is put in memory: when the transaction ends, it is written. Reads belong in here too, because
   * outside a transaction SQLite locks the file for each.
   */
  within<Value>(work: () => Value): Value {
    try {
      if (!this.#db.inTransaction) this.#begin.run();
      this.#timer ??= setTimeout(() => this.flush(), HOLD_MS);
      return work();
    } catch (error) {
      this.#log({ code: "write_failed", fault: faultOf(error) });
      // After some errors, such as a full disk, SQLite undoes the whole transaction.
      if (!this.#db.inTransaction) this.#lose(error);
      throw error;
    }
  }

  /** Resolves when everything up to now is committed. */
  committed(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.hold({ resolve, reject });
    return promise;
  }

  /** As `committed`. */
  hold(held: Held): void {
    this.#held.push(held);
    if (this.#held.length >= HELD_AT_MOST) this.flush();
  }

  /** Commits what is held at the end of this event-loop turn. */
  soon(): void {
    if (this.#held.length > 0) this.#soon ??= setImmediate(() => this.flush());
  }

  /** Stores this now, behind what is held. */
  now<Value>(write: () => Value): Value {
    this.flush();
    return this.#run.immediate(write) as Value;
  }

  /** Commits what is held, now. */
  flush(): void {
    if (!this.#db.inTransaction) return;
    try {
      this.#unwritten.write();
      this.#end.run();
    } catch (error) {
      this.#log({ code: "write_failed", fault: faultOf(error) });
      this.#lose(error);
      return;
    }
    this.#unwritten.committed();
    for (const { resolve } of this.#take()) resolve();
  }

  #lose(error: unknown): void {
    if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
    this.#unwritten.lost();
    for (const { reject } of this.#take()) reject(error);
  }

  #take(): readonly Held[] {
    clearTimeout(this.#timer);
    clearImmediate(this.#soon);
    this.#timer = undefined;
    this.#soon = undefined;
    const held = this.#held;
    this.#held = [];
    return held;
  }
}
