/** All in milliseconds; the wall clock since the epoch, the others since any moment. */
export interface MachineClocks {
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
