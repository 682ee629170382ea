import { Worker } from "node:worker_threads";
import type { FromWorker, SentByWorker, ToWorker } from "./schema-messages.ts";

/** A schema and its arguments are at most 64 KiB each: these are generous, and a bomb's end. */
const RESOURCE_LIMITS = {
  maxOldGenerationSizeMb: 64,
  maxYoungGenerationSizeMb: 16,
  codeRangeSizeMb: 16,
  stackSizeMb: 4,
};
/** Keys remembered as sent; past it the thread is told the texts again. */
const KNOWN_MAX = 4_096;

export interface ThreadEvents {
  /** The thread waits for its first message. */
  ready(thread: SchemaThread): void;
  answered(thread: SchemaThread, message: Exclude<FromWorker, { kind: "ready" }>): void;
  /** The thread ended by itself: out of memory, or a crash. Never called after `kill`. */
  died(thread: SchemaThread): void;
}

/** One worker thread as the pool sees it. */
export class SchemaThread {
  /** Keys whose schema text this thread was sent. */
  readonly known = new Set<string>();
  readonly #worker: Worker;
  #isReady = false;
  #isOver = false;
  #cpuMs = 0;

  constructor(url: URL, events: ThreadEvents) {
    // No environment, no arguments, no standard streams: the thread is given messages only.
    this.#worker = new Worker(url, {
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: RESOURCE_LIMITS,
    });
    this.#worker.unref();
    this.#worker.on("message", ([message, cpuMs]: SentByWorker) => {
      if (this.#isOver) return;
      this.#cpuMs = cpuMs;
      if (message.kind !== "ready") return events.answered(this, message);
      this.#isReady = true;
      events.ready(this);
    });
    const died = (): void => {
      if (this.#isOver) return;
      this.#isOver = true;
      events.died(this);
    };
    this.#worker.on("error", died);
    this.#worker.on("exit", died);
  }

  /** Whether the thread ever came up. */
  get wasReady(): boolean {
    return this.#isReady;
  }

  post(jobs: ToWorker): void {
    if (this.known.size > KNOWN_MAX) this.known.clear();
    for (const job of jobs) if (job.kind === "validate") this.known.add(job.cacheKey);
    this.#worker.postMessage(jobs);
  }

  /**
   * Processor time since its last answer, in milliseconds: what the job that runs has had. On a busy
   * machine that is far less than the time that passed.
   */
  async spentMs(): Promise<number> {
    const { user, system } = await this.#worker.cpuUsage();
    return (user + system) / 1_000 - this.#cpuMs;
  }

  /** Ends the thread wherever it is, a running pattern included. */
  async kill(): Promise<void> {
    this.#isOver = true;
    await this.#worker.terminate();
  }
}
