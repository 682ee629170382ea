import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentTask, CallAnswer, CancelAnswer, TaskAnswer } from "../../call-answer.ts";
import type { TaskPort } from "../../serve-tasks.ts";

interface Job {
  readonly call: Promise<CallAnswer>;
  readonly stop: AbortController;
  task: AgentTask;
  answer: CallAnswer | null;
}

const CANCELLED: CallAnswer = { kind: "refused", status: "error", reason: "cancelled" };
const FAILED: CallAnswer = { kind: "refused", status: "error", reason: "failed_on_purpose" };

/** The tools of the scenarios for tasks: they take a while, and may fail. */
export class FixtureTasks implements TaskPort {
  readonly #jobs = new Map<string, Job>();

  /** Null: no tool that becomes a task. */
  start(tool: string, { seconds = 1 }: Readonly<Record<string, unknown>>): Job | null {
    if (tool !== "slow_compute" && tool !== "failing_job") return null;
    const stop = new AbortController();
    const done: CallAnswer =
      tool === "failing_job" ? FAILED : { kind: "ok", result: { seconds: Number(seconds) } };
    const call = pause(Number(seconds) * 1000, done, { signal: stop.signal, ref: false }).catch(
      () => CANCELLED,
    );
    const now = Date.now();
    const times = { created_at: now, updated_at: now, ttl_ms: 60_000 };
    const ticket = randomUUID();
    const task: AgentTask = { ticket, status: "working", waits_for: "tool", ...times };
    const job: Job = { call, stop, task, answer: null };
    this.#jobs.set(ticket, job);
    void call.then((answer) => {
      const status = answer.kind === "ok" ? "ok" : answer === CANCELLED ? "cancelled" : "refused";
      job.answer = answer;
      job.task = { ...task, status, updated_at: Date.now() };
    });
    return job;
  }

  async task(ticket: string): Promise<TaskAnswer> {
    const job = this.#jobs.get(ticket);
    return job === undefined ? null : { task: job.task, answer: job.answer };
  }

  async tasks(): Promise<readonly AgentTask[]> {
    return [...this.#jobs.values()].map(({ task }) => task);
  }

  async cancelTask(ticket: string): Promise<CancelAnswer> {
    const job = this.#jobs.get(ticket);
    if (job === undefined) return null;
    const was_over = job.answer !== null;
    job.stop.abort();
    await job.call;
    return { task: job.task, was_over };
  }
}
