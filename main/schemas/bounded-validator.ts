import type { JsonObject } from "../../app/contract/json.ts";
import type { SchemaViolation } from "../../app/contract/json-schema/schema-violation.ts";
import { FairQueue } from "../turns/fair-queue.ts";
import { SchemaThread } from "./schema-thread.ts";
import type { Answer, CheckProblem, Job } from "./schema-worker.ts";

export interface ValidationJob {
  /** Agent id. Owners take turns. */
  readonly owner: string;
  readonly schema: JsonObject;
  /** JSON text of the arguments. */
  readonly canonicalArguments: string;
}

export type SchemaDecision =
  | { readonly kind: "invalid"; readonly violation: SchemaViolation }
  | { readonly kind: Undisputed };

type Undisputed =
  | "valid"
  /** The schema is outside the profile, or never ends on this value. */
  | "unusable"
  /** It used up its time or memory and was killed. */
  | "undecided"
  /** There was no time for it: the machine is busy, or others are being killed. Says nothing about the schema. */
  | "busy";

export interface BoundedValidatorOptions {
  readonly workerUrl: URL;
  /** Milliseconds of processor time that a job may have. */
  readonly budgetMs?: number;
  /** Jobs of different owners that run at the same time; one more thread is kept warm. */
  readonly workers?: number;
}

const BUDGET_MS = 200;
const WORKERS = 2;
/**
 * From submission to answer while somebody's schemas are being killed, in milliseconds: 300 with
 * room for a busy event loop. In peace a call waits for its turn, however long its agent's burst.
 */
const ANSWER_WITHIN_MS = 280;
/** A kill counts as an attack for this long, in milliseconds. */
const ATTACK_MS = 1_000;
/** A job that hardly got the processor may take this many times its budget before it is given up. */
const STARVED_TIMES = 10;
/** Of its budget a job has had this part, or it was starved. */
const SPENT_PART = 0.75;
/** Jobs of one owner that are sent together: a burst costs one way there, not one each. */
const BATCH_MAX = 32;
/** Jobs of one owner that may wait. */
const WAITING_MAX = 20_000;
/** Pause before a thread that could not even start is tried again, in milliseconds. */
const RESTART_MS = 1_000;

type Settled = Answer | "undecided" | "busy";

interface Task {
  readonly owner: string;
  readonly job: Job;
  readonly settle: (answer: Settled) => void;
  isSettled: boolean;
}

/** One owner's jobs on one thread. The first is the one that runs, and is timed. */
interface Batch {
  readonly owner: string;
  readonly tasks: Task[];
  /** When its budget is over, and when it is given up whatever it had. */
  due?: NodeJS.Timeout;
  end?: NodeJS.Timeout;
}

/**
 * Agents' schemas in threads that can be killed (contract §2.4). An agent never holds more than one of
 * them, and one that is free always waits for the next.
 */
export class BoundedValidator {
  readonly #options: BoundedValidatorOptions;
  readonly #budgetMs: number;
  readonly #workers: number;
  readonly #queue = new FairQueue<Task>();
  readonly #threads = new Set<SchemaThread>();
  readonly #idle: SchemaThread[] = [];
  readonly #running = new Map<SchemaThread, Batch>();
  readonly #ending = new Set<Promise<void>>();
  readonly #texts = new WeakMap<JsonObject, string>();
  #lastKill = Number.NEGATIVE_INFINITY;
  /** How many threads there should be: none until the first job, then one more than were ever running at once. */
  #wanted = 0;
  #restart: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Since the last `rest`. */
  #wasUsed = false;

  constructor(options: BoundedValidatorOptions) {
    this.#options = options;
    this.#budgetMs = options.budgetMs ?? BUDGET_MS;
    this.#workers = options.workers ?? WORKERS;
  }

  /** contract §2.4. While schemas are being killed it settles within 300 ms. Never rejects. */
  async validate({ owner, schema, canonicalArguments }: ValidationJob): Promise<SchemaDecision> {
    const answer = await this.#submit(owner, schema, canonicalArguments);
    if (typeof answer === "string") return { kind: answer };
    if ("violation" in answer) return { kind: "invalid", violation: answer.violation };
    return { kind: "undecided" };
  }

  /** What keeps a manifest's schema from being used; empty when it compiles. Never rejects. */
  async check(owner: string, schema: JsonObject): Promise<readonly CheckProblem[] | "busy"> {
    const answer = await this.#submit(owner, schema, null);
    if (answer === "busy") return answer;
    if (typeof answer !== "string" && !("violation" in answer)) return answer;
    return [{ pointer: "", code: answer === "unusable" ? "schema_unusable" : "schema_undecided" }];
  }

  /** Ends all threads if there has been no job since the last call; the next job starts them again. */
  rest(): void {
    if (!this.#wasUsed && this.#idle.length === this.#threads.size) {
      this.#wanted = 0;
      for (const thread of [...this.#idle]) this.#kill(thread, "busy");
    }
    this.#wasUsed = false;
  }

  /** Ends the threads; whatever still waits is `busy`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    for (const thread of this.#threads) this.#kill(thread, "busy");
    this.#giveUpWaiting();
    await Promise.all(this.#ending);
  }

  #submit(owner: string, schema: JsonObject, argumentsText: string | null): Promise<Settled> {
    const schemaText = this.#textOf(schema);
    if (schemaText === undefined) return Promise.resolve("unusable");
    if (this.#isClosed || this.#queue.sizeOf(owner) >= WAITING_MAX) return Promise.resolve("busy");
    this.#wasUsed = true;
    return new Promise((resolve) => {
      const settle = (answer: Settled): void => {
        clearInterval(patience);
        this.#queue.remove(owner, task);
        task.isSettled = true;
        resolve(answer);
      };
      const task: Task = { owner, job: { schemaText, argumentsText }, settle, isSettled: false };
      // Its thread may still answer for it; by then it is settled.
      const patience = setInterval(() => {
        if (performance.now() - this.#lastKill < ATTACK_MS) settle("busy");
      }, ANSWER_WITHIN_MS);
      this.#queue.add(owner, task);
      this.#want(this.#running.size + 2);
      this.#next();
    });
  }

  /** Of a schema that cannot change it is written once. */
  #textOf(schema: JsonObject): string | undefined {
    const text = this.#texts.get(schema) ?? textOf(schema);
    if (text !== undefined && Object.isFrozen(schema)) this.#texts.set(schema, text);
    return text;
  }

  #next(): void {
    while (this.#running.size < this.#workers) {
      const busy = new Set([...this.#running.values()].map(({ owner }) => owner));
      // The thread freed last, whose cache is warm, is the first to be taken.
      const thread = this.#idle.at(-1);
      const first = thread && this.#queue.take((owner) => busy.has(owner));
      if (thread === undefined || first === undefined) return;
      this.#idle.pop();
      const { owner } = first;
      const tasks = [first, ...this.#queue.takeFrom(owner, BATCH_MAX - 1)];
      const batch: Batch = { owner, tasks };
      this.#running.set(thread, batch);
      this.#want(this.#running.size + 1);
      thread.post(tasks.map(({ job }) => job));
      this.#time(thread, batch);
    }
  }

  #time(thread: SchemaThread, batch: Batch): void {
    const due = async (): Promise<void> => {
      const [head] = batch.tasks;
      const spent = await thread.spentMs().catch(() => this.#budgetMs);
      if (this.#running.get(thread) !== batch || batch.tasks[0] !== head) return;
      if (spent >= SPENT_PART * this.#budgetMs) return this.#kill(thread, "undecided");
      // The machine was busy with other things: not its fault.
      batch.due = setTimeout(due, this.#budgetMs - spent);
    };
    clearTimeout(batch.due);
    clearTimeout(batch.end);
    batch.due = setTimeout(due, this.#budgetMs);
    batch.end = setTimeout(() => this.#kill(thread, "busy"), STARVED_TIMES * this.#budgetMs);
  }

  #kill(thread: SchemaThread, verdict: "undecided" | "busy"): void {
    const ended = thread.kill().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
    this.#gone(thread, verdict);
  }

  #gone(thread: SchemaThread, verdict: "undecided" | "busy"): void {
    // A slow machine is no attack.
    if (verdict === "undecided") this.#lastKill = performance.now();
    this.#threads.delete(thread);
    const at = this.#idle.indexOf(thread);
    if (at !== -1) this.#idle.splice(at, 1);
    if (thread.wasReady) this.#fill();
    else this.#fillLater();
    const [head, ...rest] = this.#stopped(thread);
    head?.settle(verdict);
    this.#putBack(head?.owner ?? "", rest);
    this.#next();
  }

  #answered(thread: SchemaThread, answer: Answer | "yielded"): void {
    const batch = this.#running.get(thread);
    if (batch === undefined) return;
    if (answer !== "yielded") batch.tasks.shift()?.settle(answer);
    if (answer !== "yielded" && batch.tasks.length > 0) this.#time(thread, batch);
    else {
      this.#putBack(batch.owner, this.#stopped(thread));
      this.#free(thread);
    }
  }

  /** What was not answered yet of the thread's batch. */
  #stopped(thread: SchemaThread): readonly Task[] {
    const batch = this.#running.get(thread);
    this.#running.delete(thread);
    clearTimeout(batch?.due);
    clearTimeout(batch?.end);
    return batch?.tasks ?? [];
  }

  #putBack(owner: string, tasks: readonly Task[]): void {
    this.#queue.putBack(
      owner,
      tasks.filter(({ isSettled }) => !isSettled),
    );
  }

  /** Those that run, and one that is free for the next job. */
  #want(threads: number): void {
    this.#wanted = Math.max(this.#wanted, Math.min(threads, this.#workers + 1));
    this.#fill();
  }

  #fill(): void {
    while (!this.#isClosed && this.#threads.size < this.#wanted) {
      this.#threads.add(
        new SchemaThread(this.#options.workerUrl, {
          ready: (thread) => this.#free(thread),
          answered: (thread, answer) => this.#answered(thread, answer),
          died: (thread) => this.#gone(thread, "undecided"),
        }),
      );
    }
  }

  #free(thread: SchemaThread): void {
    if (this.#threads.size > this.#wanted) {
      this.#kill(thread, "busy");
      return;
    }
    this.#idle.push(thread);
    this.#next();
  }

  /** A thread that cannot start (a missing file, no memory) must not be retried in a tight loop. */
  #fillLater(): void {
    if (this.#isClosed) return;
    if (this.#threads.size === 0) this.#giveUpWaiting();
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => this.#fill(), RESTART_MS);
    this.#restart.unref();
  }

  #giveUpWaiting(): void {
    for (const task of this.#queue.drain()) task.settle("busy");
  }
}

/** `undefined` for a schema that is nested too deeply even to be written as text. */
function textOf(schema: JsonObject): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch {
    return undefined;
  }
}
