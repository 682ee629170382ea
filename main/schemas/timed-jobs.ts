import type { FromWorker, Job } from "./schema-messages.ts";
import type { SchemaThread } from "./schema-thread.ts";

export type Answer = Exclude<FromWorker, { kind: "ready" }>;
export type Settled =
  | Exclude<Answer, { kind: "missing" | "yielded" }>
  | { readonly kind: "undecided" | "busy" | "unusable" };

export interface Task {
  readonly owner: string;
  /** What quarantine and the threads' caches know it by; a manifest check has none. */
  readonly key: string | undefined;
  readonly submitted: number;
  /** @param isKnown the thread has the schema's text already */
  job(isKnown: boolean): Job;
  settle(answer: Settled): void;
}

/** One owner's jobs on one thread. The first of `waiting` is the one that runs, and is timed. */
export interface Batch {
  readonly owner: string;
  readonly waiting: Task[];
  timer: NodeJS.Timeout | undefined;
}

/** A job that runs, as it is timed. */
export interface Run {
  readonly thread: SchemaThread;
  readonly batch: Batch;
  readonly head: Task;
  readonly budget: number;
  readonly began: number;
}
