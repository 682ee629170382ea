import { uptime } from "node:os";
import type { TimeSource } from "../time-source.ts";

/** Node fires a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** This machine's clocks. */
export function systemTime(): TimeSource {
  return {
    wall: { now: () => Date.now() },
    monotonic: { now: () => performance.now() },
    sleepAware: sleepAware({
      wall: () => Date.now(),
      awake: () => performance.now(),
      sinceBoot: () => uptime() * 1_000,
    }),
    scheduler: { after },
  };
}

function after(ms: number, run: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number) => {
    const next = Math.min(left, LONGEST_TIMER_MS);
    timer = setTimeout(() => (left > next ? wait(left - next) : run()), next);
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/** All in milliseconds; the wall clock since the epoch, the others since any moment. */
interface MachineClocks {
  readonly wall: () => number;
  /** Stands still while the machine sleeps, on some systems. */
  readonly awake: () => number;
  /** Since the machine was started, including sleep; exact to a second, and slow to read. */
  readonly sinceBoot: () => number;
}

/** Below this a difference is drift, or the resolution of the system's answer. */
const NOTICED_MS = 1_500;

/**
 * A monotonic clock that includes sleep. When the wall clock differs from the awake one, either
 * somebody changed it or the machine slept: the time since boot shows which.
 */
export function sleepAware({ wall, awake, sinceBoot }: MachineClocks): { now(): number } {
  const read = () => ({ wall: wall(), awake: awake(), boot: sinceBoot() });
  let last = read();
  let slept = 0;
  return {
    now() {
      const woken = awake();
      if (Math.abs(wall() - last.wall - (woken - last.awake)) >= NOTICED_MS) {
        const next = read();
        const asleep = next.boot - last.boot - (next.awake - last.awake);
        if (asleep >= NOTICED_MS) slept += asleep;
        last = next;
      }
      return woken + slept;
    },
  };
}
