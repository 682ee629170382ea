import type { Log } from "../hub-options.ts";
import type { HubDatabase } from "./open-database.ts";

interface Job {
  readonly write: () => void;
  readonly committed: () => void;
  readonly failed: () => void;
}

/**
 * Gathers the writes of one event-loop turn into one transaction. Nobody is told of a write before
 * it is committed: acknowledgements and deliveries go into `committed`.
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

  /** `failed` is called instead of `committed` when the write could not be kept. */
  add<Value>(write: () => Value, committed: (value: Value) => void, failed: () => void): void {
    let value: { readonly written: Value } | undefined;
    this.#jobs.push({
      write: () => {
        value = { written: write() };
      },
      committed: () => {
        if (value !== undefined) committed(value.written);
      },
      failed,
    });
    this.#scheduled ??= setImmediate(() => this.flush());
  }

  /** Commits what is waiting, now. */
  flush(): void {
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const jobs = this.#jobs;
    this.#jobs = [];
    if (jobs.length === 0) return;
    if (this.#commit(jobs)) {
      for (const job of jobs) this.#tell(job.committed);
      return;
    }
    // One bad write must not cost its neighbours: each gets a transaction of its own.
    for (const job of jobs) this.#tell(this.#commit([job]) ? job.committed : job.failed);
  }

  #commit(jobs: readonly Job[]): boolean {
    try {
      this.#db
        .transaction(() => {
          for (const job of jobs) job.write();
        })
        .immediate();
      return true;
    } catch (error) {
      this.#log({ code: "write_failed", fault: faultOf(error) });
      return false;
    }
  }

  #tell(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#log({ code: "after_commit_failed", fault: faultOf(error) });
    }
  }
}

/** SQLite's own code, or the error's class: never its text, which may quote a value. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
