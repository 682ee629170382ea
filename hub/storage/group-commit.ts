import { faultOf } from "../hub-error.ts";
import type { Log } from "../hub-options.ts";
import type { HubDatabase } from "./open-database.ts";

/** How long a transaction stays open for further small writes, ms. */
const HOLD_MS = 25;
/** Writes after which it is committed at once. A crash can undo no more than these. */
export const HELD_AT_MOST = 1_000;

interface Held {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A write that takes effect at once, and becomes durable with others. */
export interface HeldWrite<Value> {
  readonly value: Value;
  /** Rejects if the write was undone after all. */
  readonly committed: Promise<void>;
}

/**
 * Combines the small writes of a short time into one transaction. Each takes effect when it is made;
 * reads on this connection see it from then on. Commits happen in the order of the writes.
 */
export class GroupCommit {
  readonly #db: HubDatabase;
  readonly #log: Log;
  /** Called inside the next transaction after writes that had taken effect were undone. */
  readonly #afterLoss: () => void;
  readonly #begin;
  readonly #end;
  /** Made once: making one takes longer than a small write. It returns what its write returns. */
  readonly #run;
  #held: Held[] = [];
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Immediate | undefined;
  /** Until a transaction with `afterLoss` is committed: on a full disk the next one may fail too. */
  #hasLost = false;

  constructor(db: HubDatabase, log: Log, afterLoss: () => void) {
    this.#db = db;
    this.#log = log;
    this.#afterLoss = afterLoss;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#end = db.prepare("COMMIT");
    this.#run = db.transaction((write: () => unknown) => write());
  }

  /** @throws what the write throws; it is undone then, and no other */
  hold<Value>(write: () => Value): HeldWrite<Value> {
    try {
      if (!this.#db.inTransaction) this.#open();
      // Inside a transaction this is a savepoint.
      const value = this.#run(write) as Value;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      // Whoever does not wait for it need not handle it.
      promise.catch(() => undefined);
      this.#held.push({ resolve, reject });
      this.#timer ??= setTimeout(() => this.flush(), HOLD_MS);
      if (this.#held.length >= HELD_AT_MOST) this.flush();
      return { value, committed: promise };
    } catch (error) {
      this.#log({ code: "write_failed", fault: faultOf(error) });
      // After some errors, such as a full disk, SQLite undoes the whole transaction.
      if (!this.#db.inTransaction) this.#lose(error);
      else if (this.#held.length === 0) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  /** Resolves when the write is committed. */
  async add<Value>(write: () => Value): Promise<Value> {
    const { value, committed } = this.hold(write);
    await committed;
    return value;
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
      this.#end.run();
    } catch (error) {
      this.#log({ code: "write_failed", fault: faultOf(error) });
      if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
      this.#lose(error);
      return;
    }
    this.#hasLost = false;
    for (const { resolve } of this.#take()) resolve();
  }

  #open(): void {
    this.#begin.run();
    if (this.#hasLost) this.#afterLoss();
  }

  #lose(error: unknown): void {
    const held = this.#take();
    if (held.length > 0) this.#hasLost = true;
    for (const { reject } of held) reject(error);
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
