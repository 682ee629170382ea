import { faultOf } from "../hub-error.ts";
import type { Log } from "../hub-options.ts";
import type { HubDatabase } from "./open-database.ts";

/** How long a transaction stays open for further small writes, ms. */
const HOLD_MS = 25;
/** Writes, or messages, after which it is committed at once. A crash can undo no more than these. */
export const HELD_AT_MOST = 1_000;

/** Whom to tell what became of a transaction, or of a part of it. */
export interface Held {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What is in memory until it is written with the rest of a transaction. */
export interface Unwritten {
  readonly size: number;
  /** If it throws, all of it is still in memory. */
  write(): void;
  /** Writes what may not stay in memory beyond a commit that waited its time. */
  writeDue(): void;
  committed(): void;
  /** What was not committed is undone, and what is in memory will not be written. */
  lost(reason: unknown): void;
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
    // Inside a transaction this is a savepoint.
    const value = this.within(() => this.#run(write) as Value);
    await this.committed();
    return value;
  }

  /** As `add`, behind what is in memory. */
  async addBehind<Value>(write: () => Value): Promise<Value> {
    this.within(() => this.#run(() => this.#unwritten.write()));
    return this.add(write);
  }

  /**
   * For what is put in memory: when the transaction ends, it is written. Reads belong in here too, because
   * outside a transaction SQLite locks the file for each.
   */
  within<Value>(work: () => Value): Value {
    try {
      if (!this.#db.inTransaction) this.#begin.run();
      this.#flushLater();
      const value = work();
      if (this.#unwritten.size >= HELD_AT_MOST) this.flush();
      return value;
    } catch (error) {
      this.#log({ code: "write_failed", fault: faultOf(error) });
      // After some errors, such as a full disk, SQLite undoes the whole transaction.
      if (!this.#db.inTransaction) this.#lose(error);
      throw error;
    }
  }

  /** Resolves with the next commit. */
  committed(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#held.push({ resolve, reject });
    if (this.#held.length >= HELD_AT_MOST) this.flush();
    return promise;
  }

  /** Commits everything at the end of this event-loop turn. */
  soon(): void {
    this.#soon ??= setImmediate(() => this.flush());
  }

  /** Stores this now, behind what is held. */
  now<Value>(write: () => Value): Value {
    this.flush();
    return this.#run.immediate(write) as Value;
  }

  /** Commits everything, now. */
  flush(): void {
    this.#commit(() => this.#unwritten.write());
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => this.#commit(() => this.#unwritten.writeDue()), HOLD_MS);
  }

  #commit(write: () => void): void {
    if (!this.#db.inTransaction && this.#unwritten.size === 0) return;
    try {
      if (!this.#db.inTransaction) this.#begin.run();
      write();
      this.#end.run();
    } catch (error) {
      this.#log({ code: "write_failed", fault: faultOf(error) });
      this.#lose(error);
      return;
    }
    const held = this.#take();
    this.#unwritten.committed();
    for (const { resolve } of held) resolve();
    if (this.#unwritten.size > 0) this.#flushLater();
  }

  #lose(error: unknown): void {
    if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
    this.#unwritten.lost(error);
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
