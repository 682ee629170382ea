import type { JsonObject } from "../../app/contract/json.ts";
import { FairQueue } from "./fair-queue.ts";
import { Quarantine } from "./quarantine.ts";
import type { CheckProblem, FromWorker, ToWorker } from "./schema-messages.ts";
import type { SchemaThread } from "./schema-thread.ts";
import { ThreadPool } from "./thread-pool.ts";
import type {
  BoundedValidator,
  BoundedValidatorOptions,
  SchemaDecision,
  ValidationJob,
} from "./validator.ts";

export type { BoundedValidator, BoundedValidatorOptions, SchemaDecision, ValidationJob };

const BUDGET_MS = 200;
const WORKERS = 2;
/** From submission to answer, in milliseconds: 300 with room for a busy event loop. */
const ANSWER_WITHIN_MS = 280;
/** Milliseconds below which starting a job late would only kill a thread. */
const LEAST_BUDGET_MS = 20;

type Settled = Exclude<FromWorker, { kind: "ready" | "missing" }> | { readonly kind: "undecided" };

interface Task {
  readonly owner: string;
  /** What quarantine knows it by; a manifest check has none. */
  readonly key: string | undefined;
  readonly submitted: number;
  /** The message; the schema's text is left out when the thread has it already. */
  message(withSchema: (cacheKey: string) => boolean): ToWorker;
  settle(answer: Settled): void;
  timer: NodeJS.Timeout | undefined;
}

const UNDECIDED = { kind: "undecided" } as const;
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
  readonly #running = new Map<SchemaThread, Task>();
  readonly #up = Promise.withResolvers<void>();
  #isClosed = false;

  constructor({ workerUrl, budgetMs, workers, now }: BoundedValidatorOptions) {
    this.#now = now ?? (() => performance.now());
    this.#budgetMs = budgetMs ?? BUDGET_MS;
    this.#workers = workers ?? WORKERS;
    this.#quarantine = new Quarantine(this.#now);
    this.#pool = new ThreadPool(workerUrl, this.#workers + 1, {
      free: () => this.#next(),
      answered: (thread, message) => this.#answered(thread, message),
      died: (thread) => this.#stopped(thread, true),
    });
  }

  async validate(job: ValidationJob): Promise<SchemaDecision> {
    const cacheKey = `${job.schemaKey} ${job.owner}`;
    if (this.#quarantine.has(cacheKey)) return UNDECIDED;
    const answer = await this.#submit(job.owner, cacheKey, (withSchema) => ({
      kind: "validate",
      cacheKey,
      schemaText: withSchema(cacheKey) ? JSON.stringify(job.schema) : undefined,
      argumentsText: job.canonicalArguments,
    }));
    return answer.kind === "checked" ? UNDECIDED : answer;
  }

  async check(owner: string, schema: JsonObject): Promise<readonly CheckProblem[]> {
    const answer = await this.#submit(owner, undefined, () => ({
      kind: "check",
      schemaText: JSON.stringify(schema),
    }));
    if (answer.kind === "checked") return answer.problems;
    if (answer.kind === "unusable") return [{ pointer: "", code: "schema_unusable" }];
    return [{ pointer: "", code: "schema_undecided" }];
  }

  ready(): Promise<void> {
    return this.#up.promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#up.resolve();
    for (const task of [...this.#queue.drain(), ...this.#running.values()]) finish(task, UNDECIDED);
    this.#running.clear();
    await this.#pool.close();
  }

  #submit(owner: string, key: string | undefined, message: Task["message"]): Promise<Settled> {
    if (this.#isClosed) return Promise.resolve(UNDECIDED);
    return new Promise((settle) => {
      const task: Task = {
        owner,
        key,
        submitted: this.#now(),
        message,
        settle,
        timer: undefined,
      };
      task.timer = setTimeout(() => {
        this.#queue.remove(owner, task);
        finish(task, UNDECIDED);
      }, ANSWER_WITHIN_MS);
      this.#queue.add(owner, task);
      this.#next();
    });
  }

  #next(): void {
    if (this.#pool.idle > this.#workers) this.#up.resolve();
    while (this.#running.size < this.#workers && this.#pool.idle > 0) {
      const task = this.#queue.take((owner) => this.#isBusy(owner));
      if (task === undefined) return;
      const left = ANSWER_WITHIN_MS - (this.#now() - task.submitted);
      const isBanned = task.key !== undefined && this.#quarantine.has(task.key);
      if (isBanned || left < LEAST_BUDGET_MS) finish(task, UNDECIDED);
      else this.#start(task, left);
    }
  }

  /** One job of an owner at a time: an agent can never hold more than one thread. */
  #isBusy(owner: string): boolean {
    for (const task of this.#running.values()) if (task.owner === owner) return true;
    return false;
  }

  #start(task: Task, left: number): void {
    const thread = this.#pool.take();
    const message = thread && messageOf(task, thread);
    if (thread === undefined || message === undefined) {
      if (thread !== undefined) this.#pool.keep(thread);
      finish(task, UNUSABLE);
      return;
    }
    clearTimeout(task.timer);
    // Killed short of its budget, a task was late and not hostile: no quarantine.
    const isFullBudget = left >= this.#budgetMs;
    task.timer = setTimeout(
      () => {
        this.#stopped(thread, isFullBudget);
        this.#pool.replace(thread);
      },
      Math.min(this.#budgetMs, left),
    );
    this.#running.set(thread, task);
    thread.post(message);
  }

  #answered(thread: SchemaThread, message: Exclude<FromWorker, { kind: "ready" }>): void {
    const task = this.#running.get(thread);
    if (task === undefined) return;
    if (message.kind === "missing") {
      thread.post(task.message(() => true));
      return;
    }
    this.#running.delete(thread);
    finish(task, message);
    this.#pool.giveBack(thread);
  }

  /** The thread is gone, or about to be: whatever ran on it is undecided. */
  #stopped(thread: SchemaThread, isToBlame: boolean): void {
    const task = this.#running.get(thread);
    if (task === undefined) return;
    this.#running.delete(thread);
    if (isToBlame && task.key !== undefined) this.#quarantine.add(task.key);
    finish(task, UNDECIDED);
    this.#next();
  }
}

/** `undefined` for a schema that is nested too deeply even to be written as text. */
function messageOf(task: Task, thread: SchemaThread): ToWorker | undefined {
  try {
    return task.message((cacheKey) => !thread.known.has(cacheKey));
  } catch {
    return undefined;
  }
}

function finish(task: Task, answer: Settled): void {
  clearTimeout(task.timer);
  task.settle(answer);
}
