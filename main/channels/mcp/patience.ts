import type { ToolResponse } from "../../../app/contract/tool-call.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { CallIntake, ChannelHost } from "../channel.ts";
import type { StartedCall } from "../local/local-call.ts";
import type { Waiting } from "./agent-port.ts";
import type { CallProgress, WaitsFor } from "./call-answer.ts";

/** Before the shortest limit that clients set, which is 60 s. */
const PATIENCE_MS = 45_000;
/** A client that is shown progress waits longer, but some end a call after 300 s all the same. */
const PATIENCE_WITH_PROGRESS_MS = 240_000;
/** What takes longer becomes a task; a tool that runs without asking is mostly over before that. */
const PATIENCE_BEFORE_TASK_MS = 2_000;
const PROGRESS_EVERY_MS = 10_000;

export interface PatienceParts {
  readonly host: { readonly live: ChannelHost["live"] };
  readonly scheduler: Scheduler;
  readonly intake: CallIntake;
}

/** What it means to a call that the request which waits for it ends before it does. */
export type Leaving = "cancels" | "cancels_nothing";

/** How long clients wait for an answer, and what they are told meanwhile. */
export class Patience {
  readonly #parts: PatienceParts;

  constructor(parts: PatienceParts) {
    this.#parts = parts;
  }

  /** Until the answer, or as long as the client has patience. */
  async wait(
    agent_id: string,
    { call_id, answer }: StartedCall,
    waiting: Waiting,
    leaving: Leaving,
  ): Promise<ToolResponse | null | "patience"> {
    if (waiting.task?.at_once) return "patience";
    const { signal, progress } = waiting;
    const { scheduler, intake } = this.#parts;
    const over = Promise.withResolvers<"patience">();
    const leave = () => {
      if (leaving === "cancels") void intake.giveUp({ agent_id, call_id });
      else over.resolve("patience");
    };
    const cancelPatience = scheduler.after(patienceMs(waiting), () => over.resolve("patience"));
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    let cancelNext = () => {};
    const tell = () => {
      progress?.(this.#progress(agent_id, call_id));
      cancelNext = scheduler.after(PROGRESS_EVERY_MS, tell);
    };
    if (progress !== null) cancelNext = scheduler.after(PROGRESS_EVERY_MS, tell);
    try {
      return await Promise.race([answer, over.promise]);
    } finally {
      cancelPatience();
      cancelNext();
      signal.removeEventListener("abort", leave);
    }
  }

  waitsFor(agent_id: string, call_id: string): WaitsFor {
    const isRunning = this.#parts.host.live.find({ agent_id, call_id })?.state === "running";
    return isRunning ? "tool" : "person";
  }

  #progress(agent_id: string, call_id: string): CallProgress {
    const { done = null, total = null } =
      this.#parts.host.live.find({ agent_id, call_id })?.progress ?? {};
    return { waits_for: this.waitsFor(agent_id, call_id), done, total };
  }
}

function patienceMs({ task, progress }: Waiting): number {
  if (task !== undefined) return PATIENCE_BEFORE_TASK_MS;
  return progress === null ? PATIENCE_MS : PATIENCE_WITH_PROGRESS_MS;
}
