import { SchemaThread, type ThreadEvents } from "./schema-thread.ts";

/** Pause before a thread that could not even start is tried again, in milliseconds. */
const RESTART_MS = 1_000;

/** Keeps a fixed number of threads alive and says when one is free. */
export class ThreadPool {
  readonly #url: URL;
  readonly #size: number;
  readonly #events: Omit<ThreadEvents, "ready"> & { free(): void };
  readonly #all = new Set<SchemaThread>();
  readonly #idle: SchemaThread[] = [];
  readonly #ending = new Set<Promise<void>>();
  #restart: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: URL, size: number, events: Omit<ThreadEvents, "ready"> & { free(): void }) {
    this.#url = url;
    this.#size = size;
    this.#events = events;
    this.#fill();
  }

  get idle(): number {
    return this.#idle.length;
  }

  /** The thread freed last, whose cache is warm, is the first to be taken. */
  take(): SchemaThread | undefined {
    return this.#idle.pop();
  }

  /** Puts a thread back that was not used after all: nobody is told. */
  keep(thread: SchemaThread): void {
    this.#idle.push(thread);
  }

  giveBack(thread: SchemaThread): void {
    this.keep(thread);
    this.#events.free();
  }

  /** Kills a thread and starts another in its place. */
  replace(thread: SchemaThread): void {
    this.#end(thread);
    this.#fill();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    this.#idle.length = 0;
    for (const thread of this.#all) this.#end(thread);
    await Promise.all(this.#ending);
  }

  #end(thread: SchemaThread): void {
    this.#all.delete(thread);
    const ended = thread.kill().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  #fill(): void {
    while (!this.#isClosed && this.#all.size < this.#size) {
      this.#all.add(
        new SchemaThread(this.#url, {
          ready: (thread) => this.giveBack(thread),
          answered: (thread, message) => this.#events.answered(thread, message),
          died: (thread) => this.#died(thread),
        }),
      );
    }
  }

  #died(thread: SchemaThread): void {
    this.#all.delete(thread);
    const at = this.#idle.indexOf(thread);
    if (at !== -1) this.#idle.splice(at, 1);
    if (thread.wasReady) this.#fill();
    else this.#fillLater();
    this.#events.died(thread);
  }

  /** A thread that cannot start (a missing file, no memory) must not be retried in a tight loop. */
  #fillLater(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => this.#fill(), RESTART_MS);
    this.#restart.unref();
  }
}
