import { fork } from "node:child_process";
import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Swap } from "./swap.ts";

const PROCESS = fileURLToPath(new URL("./swapping-process.ts", import.meta.url));

/** How many seconds a race lasts: `CONSENTRY_RACE_SECONDS`, or 5. */
export function raceSeconds(): number {
  const seconds = Number(process.env.CONSENTRY_RACE_SECONDS ?? 5);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new RangeError("CONSENTRY_RACE_SECONDS wants a number over 0");
}

/**
 * Calls `work` again and again while another process swaps, for as long as a race lasts, and longer
 * until `enough`. Returns how often each swap was done.
 */
export async function meanwhileSwapping(
  swaps: readonly Swap[],
  work: () => void,
  enough: () => boolean,
): Promise<readonly number[]> {
  const other = fork(PROCESS, [JSON.stringify(swaps)], { stdio: "inherit" });
  const ended = once(other, "exit");
  try {
    await once(other, "message");
    const end = performance.now() + raceSeconds() * 1000;
    while ((performance.now() < end || !enough()) && other.exitCode === null) {
      work();
      await turn();
    }
    if (other.exitCode !== null) throw new Error("the swapping process has failed");
    const told = once(other, "message");
    other.send("stop");
    const [done] = await told;
    return done;
  } finally {
    if (other.connected) other.disconnect();
    await ended;
  }
}
