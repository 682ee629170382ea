import type { Scheduler } from "../../../app/execution/ports.ts";

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
