import { LIMITS } from "../contract/limits.ts";
import type { Answered } from "./verdict.ts";

/** A denial that the person may take back until it leaves (contract §3). */
export interface HeldDenial {
  readonly verdict: Answered;
  /** Monotonic milliseconds. */
  readonly leavesAt: number;
  /** Meanwhile something else would decide the request; taken back, it is decided anew. */
  decidedElsewhere: boolean;
  readonly stop: () => void;
}

/** Not one that makes a rule: the rule counts at once. */
export const canBeHeld = ({ answer, rule }: Answered): boolean =>
  answer === "deny" && rule === null;

interface HoldingTime {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
}

export const holdDenial = (
  { now, after }: HoldingTime,
  verdict: Answered,
  leave: () => void,
): HeldDenial => ({
  verdict,
  decidedElsewhere: false,
  leavesAt: now() + LIMITS.denialHeldMs,
  stop: after(LIMITS.denialHeldMs, leave),
});
