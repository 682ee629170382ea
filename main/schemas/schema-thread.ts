import { Worker } from "node:worker_threads";
import type { Answer, Job, SentByWorker } from "./schema-worker.ts";

/** A schema and its arguments are at most 64 KiB each: these are generous, and a bomb's end. */
const RESOURCE_LIMITS = {
  maxOldGenerationSizeMb: 64,
  maxYoungGenerationSizeMb: 16,
  codeRangeSizeMb: 16,
  stackSizeMb: 4,
};

export interface ThreadEvents {
  /** The thread waits for its first job. */
  ready(thread: SchemaThread): void;
  answered(thread: SchemaThread, answer: Answer | "yielded"): void;
  /** The thread ended by itself: out of memory, or a crash. Never called after `kill`. */
  died(thread: SchemaThread): void;
}

/** One worker thread. */
export class SchemaThread {
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
    this.#worker.on("message", ([answer, cpuMs]: SentByWorker) => {
      if (this.#isOver) return;
      this.#cpuMs = cpuMs;
      if (answer !== "ready") return events.answered(this, answer);
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

  post(jobs: readonly Job[]): void {
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
