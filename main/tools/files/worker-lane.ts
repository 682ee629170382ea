import { Worker } from "node:worker_threads";
import type { ToolFailureWord } from "../../../app/contract/codes.ts";
import { type ToolContext, toolFailure } from "../../../app/execution/ports.ts";
import { FairQueue } from "../../turns/fair-queue.ts";
import type { OwnFolder } from "./paths/own-data.ts";
import { type SharedNumbers, sharedNumbers } from "./shared-numbers.ts";

/** What the thread is asked for: plain values, because they are cloned. */
export interface FileRequest {
  /** The tool whose job it is. */
  readonly tool: string;
  readonly job: unknown;
  /** The job is not done, but what the person is shown of it is drawn. */
  readonly drawn?: true;
  /** Jobs that have it check themselves whether to stop. */
  readonly stop?: SharedNumbers;
  readonly walked?: SharedNumbers;
}

export type FileAnswer =
  | { readonly ok: true; readonly tool: string; readonly value: unknown }
  | { readonly ok: false; readonly word: ToolFailureWord };

/** What a file worker is given when it starts. */
export interface FileWorkerData {
  /** Our own folders, which no job may reach. */
  readonly ownData: readonly OwnFolder[];
  /** One number for each of the latest jobs, in turn: once it is not 0, the job must not begin. */
  readonly dropped: SharedNumbers;
}

/** Job owner and abort signal. */
export type JobOwner = Pick<ToolContext, "agent_id" | "signal">;

interface Task {
  readonly by: JobOwner;
  readonly request: FileRequest;
  /** Keeps the thread that was given the job from beginning it. */
  drop: () => void;
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

export interface LaneOptions {
  readonly workerUrl: URL;
  /** How long a cancelled job may still run before its thread is replaced, in milliseconds. */
  readonly graceMs: number;
  /** Passed to each thread when it starts. */
  readonly ownData: FileWorkerData["ownData"];
  /**
   * How many jobs the thread is given at once. More than one saves waking it for each, but is only for jobs
   * that change nothing: those behind one that hangs are given to the next thread.
   */
  readonly most: number;
  /** Whether its jobs change files: then none that runs is terminated. */
  readonly changes: boolean;
}

/** One worker thread, and the jobs of agents that take turns. The first job starts the thread. */
export class WorkerLane {
  readonly #workerUrl: URL;
  readonly #graceMs: number;
  readonly #ownData: FileWorkerData["ownData"];
  readonly #most: number;
  readonly #changes: boolean;
  readonly #waiting = new FairQueue<Task>();
  readonly #ending = new Set<Promise<unknown>>();
  /** What the thread has to answer, in order: it does the first. */
  #given: Task[] = [];
  #worker: Worker | null = null;
  /** Of this thread (`FileWorkerData`). */
  #dropped: SharedNumbers = sharedNumbers();
  /** How many jobs this thread was given. */
  #count = 0;
  #closed = false;
  /** Since the last `rest`. */
  #wasUsed = false;

  constructor({ workerUrl, graceMs, ownData, most, changes }: LaneOptions) {
    this.#workerUrl = workerUrl;
    this.#graceMs = graceMs;
    this.#ownData = ownData;
    this.#most = most;
    this.#changes = changes;
  }

  /** @throws ToolFailure; `cancelled` as soon as the signal aborts, whatever the thread is doing */
  submit<Value>(request: FileRequest, by: JobOwner): Promise<Value> {
    const { agent_id, signal } = by;
    if (signal.aborted || this.#closed) return Promise.reject(toolFailure("cancelled"));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => this.#cancel(task);
      const finish = (answer: FileAnswer): void => {
        signal.removeEventListener("abort", onAbort);
        if (!answer.ok) reject(toolFailure(answer.word));
        else if (answer.tool === request.tool) resolve(answer.value as Value);
        else reject(toolFailure("internal_error"));
      };
      const task: Task = { by, request, drop: () => undefined, finish };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(agent_id, task);
      this.#next();
    });
  }

  /** Ends the thread if it has had no job since the last call. */
  rest(): void {
    if (!this.#wasUsed && this.#given.length === 0) this.#giveUp("cancelled");
    this.#wasUsed = false;
  }

  /** Cancels everything; resolves when no thread is left, or only those that cannot be ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#giveUp("cancelled");
    for (const task of this.#waiting.drain()) task.finish(failed("cancelled"));
    const patience = new Promise((resolve) => setTimeout(resolve, 1000).unref());
    await Promise.race([Promise.all(this.#ending), patience]);
  }

  #next(): void {
    while (this.#given.length < this.#most && !this.#closed) {
      const task = this.#waiting.take();
      if (task === undefined) return;
      this.#wasUsed = true;
      const worker = this.#readyWorker();
      if (worker === null) {
        task.finish(failed("io_error"));
        continue;
      }
      this.#give(task);
      // Only a running job keeps the program from ending.
      worker.ref();
      worker.postMessage(task.request);
    }
  }

  #give(task: Task): void {
    const [dropped, place] = [this.#dropped, this.#count % this.#most];
    this.#count += 1;
    Atomics.store(dropped, place, 0);
    task.drop = () => void Atomics.store(dropped, place, 1);
    this.#given.push(task);
  }

  #readyWorker(): Worker | null {
    if (this.#worker !== null) return this.#worker;
    if (this.#ending.size >= STUCK_MAX) return null;
    this.#dropped = sharedNumbers(this.#most);
    this.#count = 0;
    const workerData: FileWorkerData = { ownData: this.#ownData, dropped: this.#dropped };
    // No environment and no inherited flags: the thread needs neither.
    const worker = new Worker(this.#workerUrl, {
      env: {},
      execArgv: [],
      workerData,
    });
    this.#worker = worker;
    worker.on("message", (answer: FileAnswer) => {
      if (this.#worker !== worker) return;
      this.#given.shift()?.finish(answer);
      this.#endFirstSoon();
      if (this.#given.length === 0) worker.unref();
      this.#next();
    });
    worker.on("error", () => this.#lost(worker));
    worker.on("exit", () => this.#lost(worker));
    return worker;
  }

  #cancel(task: Task): void {
    task.finish(failed("cancelled"));
    this.#waiting.remove(task.by.agent_id, task);
    task.drop();
    this.#endFirstSoon();
  }

  /** If it is cancelled. Most jobs end within moments, so replacing their thread would be a waste. */
  #endFirstSoon(): void {
    const [first] = this.#given;
    if (first?.by.signal.aborted !== true) return;
    setTimeout(() => {
      if (this.#given[0] === first) this.#giveUp("cancelled");
    }, this.#graceMs).unref();
  }

  #lost(worker: Worker): void {
    if (this.#worker === worker) this.#giveUp("internal_error");
  }

  #giveUp(word: "cancelled" | "internal_error"): void {
    const worker = this.#worker;
    const [first, ...others] = this.#given;
    this.#worker = null;
    this.#given = [];
    if (worker !== null) {
      worker.unref();
      const mayFinish =
        first !== undefined &&
        first.request.stop !== undefined &&
        this.#changes &&
        word === "cancelled";
      const over = mayFinish ? answered(worker) : Promise.resolve();
      const end = over.then(() => worker.terminate()).finally(() => this.#ending.delete(end));
      this.#ending.add(end);
    }
    first?.finish(failed(word));
    for (const task of others.reverse()) {
      task.drop();
      if (!task.by.signal.aborted) this.#waiting.putBack(task.by.agent_id, [task]);
    }
    this.#next();
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
