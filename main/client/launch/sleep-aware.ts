/** Milliseconds each; the wall clock from the epoch, the others from any beginning. */
export interface MachineClocks {
  readonly wall: () => number;
  /** Stands still while the machine sleeps, on some systems. */
  readonly awake: () => number;
  /** Since the machine was started, sleep included; to a second, and dear to ask. */
  readonly sinceBoot: () => number;
}

/** Below this a difference is drift, or the resolution of the system's answer. */
const NOTICED_MS = 1_500;

/**
 * A clock that only rises and counts sleep. When the wall clock runs differently from the awake
 * one, either somebody moved it or the machine slept: the time since boot tells which.
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
