/**
 * Time and randomness as the SDK uses them, injectable so that tests need not wait. It repeats the
 * link's declaration because published types must not depend on the frame schemas.
 */
export interface AgentClock {
  /** Runs `run` once, `ms` milliseconds from now. @returns cancels it */
  after(ms: number, run: () => void): () => void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** 0 ≤ value < 1. */
  random(): number;
}

/** A longer `setTimeout` would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

export const realClock: AgentClock = {
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
  now: () => Date.now(),
  random: () => Math.random(),
};
