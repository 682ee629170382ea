import type { Scheduler } from "../../../app/execution/ports.ts";

/** A scheduler whose time passes when a test says so. */
export interface ManualScheduler {
  readonly scheduler: Scheduler;
  advance(ms: number): void;
  /** Timers neither run nor cancelled. */
  waiting(): number;
}

export function manualScheduler(): ManualScheduler {
  const timers = new Map<() => void, number>();
  let now = 0;
  return {
    scheduler: {
      after(ms, run) {
        const once = () => run();
        timers.set(once, now + ms);
        return () => timers.delete(once);
      },
    },
    advance(ms) {
      now += ms;
      for (const [run, due] of [...timers].sort(([, a], [, b]) => a - b)) {
        if (due <= now && timers.delete(run)) run();
      }
    },
    waiting: () => timers.size,
  };
}
