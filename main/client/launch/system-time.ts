import { uptime } from "node:os";
import type { TimeSource } from "../time-source.ts";
import { sleepAware } from "./sleep-aware.ts";

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
