import type { JsonObject } from "../../app/contract/json.ts";
import { FairQueue } from "./fair-queue.ts";
import { Quarantine } from "./quarantine.ts";
import type { CheckProblem, Job } from "./schema-messages.ts";
import type { SchemaThread } from "./schema-thread.ts";
import { ThreadPool } from "./thread-pool.ts";
import type { Answer, Batch, Run, Settled, Task } from "./timed-jobs.ts";
import type {
  BoundedValidator,
  BoundedValidatorOptions,
  SchemaDecision,
  ValidationJob,
} from "./validator.ts";

export type { BoundedValidator, BoundedValidatorOptions, SchemaDecision, ValidationJob };

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
/** Milliseconds below which starting a job late would only kill a thread. */
const LEAST_BUDGET_MS = 20;
/** Jobs of one owner that are sent together: a burst costs one way there, not one each. */
const BATCH_MAX = 32;
/** Jobs of one owner that may wait. */
const WAITING_MAX = 20_000;

/** The schema's own fault: it had its time, or more memory than there is. */
const UNDECIDED = { kind: "undecided" } as const;
/** Nobody's verdict: there was no time for it. */
const BUSY = { kind: "busy" } as const;
const UNUSABLE = { kind: "unusable" } as const;

export function createBoundedValidator(options: BoundedValidatorOptions): BoundedValidator {
  return new PooledValidator(options);
}

class PooledValidator implements BoundedValidator {
  readonly #now: () => number;
  readonly #budgetMs: number;
  readonly #workers: number;
  readonly #pool: ThreadPool;
  readonly #quarantine: Quarantine;
  readonly #queue = new FairQueue<Task>();
  readonly #batches = new Map<SchemaThread, Batch>();
  readonly #up = Promise.withResolvers<void>();
  #lastKill = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor({ workerUrl, budgetMs, workers, now }: BoundedValidatorOptions) {
    this.#now = now ?? (() => performance.now());
    this.#budgetMs = budgetMs ?? BUDGET_MS;
    this.#workers = workers ?? WORKERS;
    this.#quarantine = new Quarantine(this.#now);
    this.#pool = new ThreadPool(workerUrl, this.#workers + 1, {
      free: () => this.#next(),
      answered: (thread, message) => this.#answered(thread, message),
      died: (thread) => this.#stopped(thread, UNDECIDED),
    });
  }

  async validate(job: ValidationJob): Promise<SchemaDecision> {
    const cacheKey = `${job.schemaKey} ${job.owner}`;
    if (this.#quarantine.has(cacheKey)) return UNDECIDED;
    const answer = await this.#submit(job.owner, cacheKey, (isKnown) => ({
      kind: "validate",
      cacheKey,
      schemaText: isKnown ? undefined : JSON.stringify(job.schema),
      argumentsText: job.canonicalArguments,
    }));
    return answer.kind === "checked" ? UNDECIDED : answer;
  }

  async check(owner: string, schema: JsonObject): Promise<readonly CheckProblem[] | "busy"> {
    const answer = await this.#submit(owner, undefined, () => ({
      kind: "check",
      schemaText: JSON.stringify(schema),
    }));
    if (answer.kind === "checked") return answer.problems;
    if (answer.kind === "busy") return answer.kind;
    if (answer.kind === "unusable") return [{ pointer: "", code: "schema_unusable" }];
    return [{ pointer: "", code: "schema_undecided" }];
  }

  ready(): Promise<void> {
    return this.#up.promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#up.resolve();
    for (const task of this.#queue.drain()) task.settle(BUSY);
    for (const batch of this.#batches.values()) {
      clearTimeout(batch.timer);
      for (const task of batch.waiting) task.settle(BUSY);
    }
    this.#batches.clear();
    await this.#pool.close();
  }

  #submit(owner: string, key: string | undefined, job: Task["job"]): Promise<Settled> {
    if (this.#isClosed || this.#queue.sizeOf(owner) >= WAITING_MAX) {
      return Promise.resolve(BUSY);
    }
    return new Promise((resolve) => {
      let patience: NodeJS.Timeout;
      const task: Task = {
        owner,
        key,
        submitted: this.#now(),
        job,
        settle(answer) {
          clearTimeout(patience);
          resolve(answer);
        },
      };
      const wait = () => {
        patience = setTimeout(
          () => (this.#isUnderAttack() ? this.#giveUp(task) : wait()),
          ANSWER_WITHIN_MS,
        );
      };
      wait();
      this.#queue.add(owner, task);
      this.#next();
    });
  }

  /** Its thread may still answer for it; by then it is settled. */
  #giveUp(task: Task): void {
    this.#queue.remove(task.owner, task);
    task.settle(BUSY);
  }

  #isUnderAttack(): boolean {
    return this.#now() - this.#lastKill < ATTACK_MS;
  }

  #next(): void {
    if (this.#pool.idle > this.#workers) this.#up.resolve();
    while (this.#batches.size < this.#workers && this.#pool.idle > 0) {
      const first = this.#queue.take((owner) => this.#isBusy(owner));
      if (first === undefined) return;
      const tasks = [first, ...this.#queue.takeFrom(first.owner, BATCH_MAX - 1)];
      this.#start(
        first.owner,
        tasks.filter((task) => this.#mayStart(task)),
      );
    }
  }

  /** One batch an owner: an agent can never hold more than one thread. */
  #isBusy(owner: string): boolean {
    for (const batch of this.#batches.values()) if (batch.owner === owner) return true;
    return false;
  }

  #mayStart(task: Task): boolean {
    const isBanned = task.key !== undefined && this.#quarantine.has(task.key);
    const isLate = this.#isUnderAttack() && this.#left(task) < LEAST_BUDGET_MS;
    if (isBanned) task.settle(UNDECIDED);
    else if (isLate) task.settle(BUSY);
    return !isBanned && !isLate;
  }

  #start(owner: string, tasks: readonly Task[]): void {
    const thread = tasks.length === 0 ? undefined : this.#pool.take();
    if (thread === undefined) return;
    const batch: Batch = { owner, waiting: [], timer: undefined };
    const jobs: Job[] = [];
    const sent = new Set(thread.known);
    for (const task of tasks) {
      const job = jobOf(task, task.key !== undefined && sent.has(task.key));
      if (job === undefined) {
        task.settle(UNUSABLE);
        continue;
      }
      if (task.key !== undefined) sent.add(task.key);
      jobs.push(job);
      batch.waiting.push(task);
    }
    if (jobs.length === 0) {
      this.#pool.keep(thread);
      return;
    }
    this.#batches.set(thread, batch);
    thread.post(jobs);
    this.#time(thread, batch);
  }

  #left(task: Task): number {
    return ANSWER_WITHIN_MS - (this.#now() - task.submitted);
  }

  #budgetOf(head: Task): number {
    const left = this.#isUnderAttack() ? this.#left(head) : this.#budgetMs;
    return Math.max(0, Math.min(this.#budgetMs, left));
  }

  #time(thread: SchemaThread, batch: Batch): void {
    clearTimeout(batch.timer);
    const [head] = batch.waiting;
    if (head === undefined) return;
    const budget = this.#budgetOf(head);
    const run: Run = { thread, batch, head, budget, began: this.#now() };
    batch.timer = setTimeout(() => void this.#due(run), budget);
  }

  /** Its time is up. Where the machine was busy with other things, that was not its fault. */
  async #due(run: Run): Promise<void> {
    const { thread, batch, head, budget, began } = run;
    const end = (verdict: typeof UNDECIDED | typeof BUSY): void => {
      this.#stopped(thread, verdict);
      this.#pool.replace(thread);
    };
    // Killed short of its full budget, a job was late and not hostile: no quarantine.
    if (budget < this.#budgetMs) return end(BUSY);
    const times = this.#isUnderAttack() ? 1 : STARVED_TIMES;
    const left = times * budget - (this.#now() - began);
    // A thread that has no processor cannot even say how little it had.
    batch.timer = setTimeout(() => end(BUSY), Math.max(left, LEAST_BUDGET_MS));
    const spent = await thread.spentMs().catch(() => budget);
    if (this.#batches.get(thread) !== batch || batch.waiting[0] !== head) return;
    clearTimeout(batch.timer);
    if (spent >= SPENT_PART * budget) return end(UNDECIDED);
    if (left <= 0) return end(BUSY);
    batch.timer = setTimeout(() => void this.#due(run), Math.min(budget - spent, left));
  }

  #answered(thread: SchemaThread, answer: Answer): void {
    const batch = this.#batches.get(thread);
    if (batch === undefined) return;
    if (answer.kind === "yielded") {
      this.#queue.putBack(batch.owner, batch.waiting.splice(0));
    } else {
      const task = batch.waiting.shift();
      if (answer.kind !== "missing") task?.settle(answer);
      else if (task?.key !== undefined) {
        thread.known.delete(task.key);
        this.#queue.putBack(batch.owner, [task]);
      }
    }
    this.#time(thread, batch);
    if (batch.waiting.length > 0) return;
    this.#batches.delete(thread);
    this.#pool.giveBack(thread);
  }

  /** The thread is gone, or about to be: what ran on it gets `verdict`, the rest begins anew. */
  #stopped(thread: SchemaThread, verdict: typeof UNDECIDED | typeof BUSY): void {
    const isToBlame = verdict === UNDECIDED;
    // A slow machine is no attack.
    if (isToBlame || this.#isUnderAttack()) this.#lastKill = this.#now();
    const batch = this.#batches.get(thread);
    if (batch === undefined) return;
    this.#batches.delete(thread);
    clearTimeout(batch.timer);
    const [head, ...rest] = batch.waiting;
    if (isToBlame && head?.key !== undefined) this.#quarantine.add(head.key);
    head?.settle(verdict);
    this.#queue.putBack(batch.owner, rest);
    this.#next();
  }
}

/** `undefined` for a schema that is nested too deeply even to be written as text. */
function jobOf(task: Task, isKnown: boolean): Job | undefined {
  try {
    return task.job(isKnown);
  } catch {
    return undefined;
  }
}
