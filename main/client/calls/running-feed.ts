import type { RunningView } from "../../../app/bridge/consent-views.ts";
import type { CallTarget } from "../../../app/contract/target/target.ts";
import type { CallObserver, LiveCall } from "../../../app/execution/live-calls.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";

/** Milliseconds between two updates; shorter calls need not be shown. */
const TOLD_EVERY_MS = 250;

/**
 * Sends the renderers the running calls and their progress. Calls may start and end a thousand times
 * a second; a list is built at most four times.
 */
export class RunningFeed implements CallObserver {
  readonly running: () => void;

  constructor(scheduler: Scheduler, tell: () => void) {
    this.running = atMostEvery(scheduler, TOLD_EVERY_MS, tell);
  }
}

export const runningView = (
  { call_id, agent_id, conversation_id, call, arrived_at, progress }: LiveCall,
  agentName: string,
  target: CallTarget,
): RunningView => ({
  call_id,
  agent_id,
  agent_name: agentName,
  conversation_id,
  tool_name: call.tool_name,
  target,
  arrived_at,
  progress: progress && {
    done: progress.done,
    total: progress.total,
    unit: progress.unit,
    tail: progress.tail?.() ?? [],
  },
});

/** Asked for any number of times, `run` follows once, `ms` after the first. */
export function atMostEvery(scheduler: Scheduler, ms: number, run: () => void): () => void {
  let isPending = false;
  return () => {
    if (isPending) return;
    isPending = true;
    scheduler.after(ms, () => {
      isPending = false;
      run();
    });
  };
}
