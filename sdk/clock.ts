import type { LinkClock } from "../app/protocol/link/connection.ts";

/** Time and chance, as the SDK uses them; `now` is in milliseconds since the epoch. */
export type AgentClock = LinkClock;

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
