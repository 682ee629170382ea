import { faultOf } from "../hub-error.ts";
import type { Log } from "../hub-options.ts";
import type { HubDatabase } from "./open-database.ts";

interface Job {
  readonly write: () => void;
  readonly kept: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Combines the small writes of one event-loop turn into one transaction. Promises resolve only after
 * the commit, in the order of the writes.
 */
export class GroupCommit {
  readonly #db: HubDatabase;
  readonly #log: Log;
  #jobs: Job[] = [];
  #scheduled: NodeJS.Immediate | undefined;

  constructor(db: HubDatabase, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  /** Resolves when the write is committed, together with the others of its turn. */
  add<Value>(write: () => Value): Promise<Value> {
    this.#scheduled ??= setImmediate(() => this.flush());
    return new Promise((resolve, reject) => {
      let written: Value;
      this.#jobs.push({
        write: () => {
          written = write();
        },
        kept: () => resolve(written),
        failed: reject,
      });
    });
  }

  /** Keeps this now, behind what waits: that is judged by what held before. */
  now<Value>(write: () => Value): Value {
    this.flush();
    return this.#db.transaction(write).immediate();
  }

  /** Commits what is waiting, now. */
  flush(): void {
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const jobs = this.#jobs;
    this.#jobs = [];
    if (jobs.length === 0) return;
    if (this.#commit(jobs) === undefined) {
      for (const job of jobs) job.kept();
      return;
    }
    // One failing write must not affect the others: each gets a transaction of its own.
    for (const job of jobs) {
      const failure = this.#commit([job]);
      if (failure === undefined) job.kept();
      else job.failed(failure.error);
    }
  }

  #commit(jobs: readonly Job[]): { readonly error: unknown } | undefined {
    try {
      this.#db
        .transaction(() => {
          for (const job of jobs) job.write();
        })
        .immediate();
      return undefined;
    } catch (error) {
      this.#log({ code: "write_failed", fault: faultOf(error) });
      return { error };
    }
  }
}
