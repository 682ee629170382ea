import { Worker } from "node:worker_threads";
import { type ToolContext, ToolFailure } from "../../../app/execution/ports.ts";
import { FairQueue } from "../../turns/fair-queue.ts";
import {
  type FileAnswer,
  type FileJob,
  type FileValues,
  type FileWorkerData,
  isChange,
  type JobKind,
} from "./file-jobs.ts";

/** Whose job it is, and what ends it. */
export type JobOwner = Pick<ToolContext, "agent_id" | "signal">;

interface Task {
  readonly owner: string;
  readonly job: FileJob;
  /** Settles the caller's promise; a second call does nothing. */
  readonly finish: (answer: FileAnswer) => void;
}

/**
 * Maximum number of abandoned threads that have not ended: each is in a system call that may never
 * return. Beyond this, new work fails at once instead of blocking another thread.
 */
const STUCK_MAX = 4;

const failed = (word: "cancelled" | "io_error" | "internal_error"): FileAnswer => ({
  ok: false,
  word,
});

/** One worker thread, and the jobs of agents that take turns. The first job starts the thread. */
export class WorkerLane {
  readonly #workerUrl: URL;
  readonly #graceMs: number;
  readonly #data: FileWorkerData;
  readonly #waiting = new FairQueue<Task>();
  readonly #ending = new Set<Promise<unknown>>();
  #running: Task | null = null;
  #worker: Worker | null = null;
  #closed = false;
  /** Since the last `rest`. */
  #wasUsed = false;

  /** @param data passed to each thread when it starts */
  constructor(workerUrl: URL, graceMs: number, data: FileWorkerData = { ownData: [] }) {
    this.#data = data;
    this.#workerUrl = workerUrl;
    this.#graceMs = graceMs;
  }

  /** @throws ToolFailure; `cancelled` as soon as the signal aborts, whatever the thread is doing */
  submit<K extends JobKind>(
    job: FileJob & { readonly kind: K },
    { agent_id, signal }: JobOwner,
  ): Promise<FileValues[K]> {
    if (signal.aborted || this.#closed) return Promise.reject(new ToolFailure("cancelled"));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => this.#cancel(task);
      const finish = (answer: FileAnswer): void => {
        signal.removeEventListener("abort", onAbort);
        if (!answer.ok) reject(new ToolFailure(answer.word));
        else if (answer.kind === job.kind) resolve(answer.value as FileValues[K]);
        else reject(new ToolFailure("internal_error"));
      };
      const task: Task = { owner: agent_id, job, finish };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(agent_id, task);
      this.#next();
    });
  }

  /** Ends the thread if it has had no job since the last call. */
  rest(): void {
    if (!this.#wasUsed && this.#running === null) this.#giveUp("cancelled");
    this.#wasUsed = false;
  }

  /** Cancels everything; resolves when no thread is left, or only those that cannot be ended. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const task of this.#waiting.drain()) task.finish(failed("cancelled"));
    this.#giveUp("cancelled");
    const patience = new Promise((resolve) => setTimeout(resolve, 1000).unref());
    await Promise.race([Promise.all(this.#ending), patience]);
  }

  #next(): void {
    if (this.#running !== null) return;
    const task = this.#waiting.take();
    if (task === undefined) return;
    this.#running = task;
    this.#wasUsed = true;
    const worker = this.#readyWorker();
    if (worker === null) {
      this.#settle(failed("io_error"));
      return;
    }
    // Only a running job keeps the program from ending.
    worker.ref();
    worker.postMessage(task.job);
  }

  #readyWorker(): Worker | null {
    if (this.#worker !== null) return this.#worker;
    if (this.#ending.size >= STUCK_MAX) return null;
    // No environment and no inherited flags: the thread needs neither.
    const worker = new Worker(this.#workerUrl, {
      env: {},
      execArgv: [],
      workerData: this.#data,
    });
    this.#worker = worker;
    worker.on("message", (answer: FileAnswer) => {
      if (this.#worker !== worker) return;
      worker.unref();
      this.#settle(answer);
    });
    worker.on("error", () => this.#lost(worker));
    worker.on("exit", () => this.#lost(worker));
    return worker;
  }

  #settle(answer: FileAnswer): void {
    const task = this.#running;
    this.#running = null;
    task?.finish(answer);
    this.#next();
  }

  #cancel(task: Task): void {
    task.finish(failed("cancelled"));
    this.#waiting.remove(task.owner, task);
    if (this.#running !== task) return;
    // Most jobs end within moments, so replacing their thread would be a waste.
    setTimeout(() => {
      if (this.#running === task) this.#giveUp("cancelled");
    }, this.#graceMs).unref();
  }

  #lost(worker: Worker): void {
    if (this.#worker === worker) this.#giveUp("internal_error");
  }

  #giveUp(word: "cancelled" | "internal_error"): void {
    const worker = this.#worker;
    const job = this.#running?.job;
    this.#worker = null;
    if (worker !== null) {
      worker.unref();
      const mayFinish = job !== undefined && isChange(job) && word === "cancelled";
      const over = mayFinish ? answered(worker) : Promise.resolve();
      const end = over.then(() => worker.terminate()).finally(() => this.#ending.delete(end));
      this.#ending.add(end);
    }
    this.#settle(failed(word));
  }
}

/**
 * A thread that is changing files is not terminated: it either stops before its last step or takes
 * it. By then it no longer belongs to the lane, and nobody waits for it.
 */
const answered = (worker: Worker): Promise<unknown> =>
  new Promise((resolve) => {
    worker.once("message", resolve);
    worker.once("exit", resolve);
  });
