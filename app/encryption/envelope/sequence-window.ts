import { refuse } from "../encryption-error.ts";

/** What was accepted of one sender in one conversation. */
export interface SequenceWindow {
  readonly highest: number;
  /** Numbers below it that never came, ascending; only the last few are remembered. */
  readonly missing: readonly number[];
}

export const NOTHING_RECEIVED: SequenceWindow = { highest: 0, missing: [] };

const MISSING_KEPT = 64;

/**
 * Numbers only rise. The hub delivers a conversation in order (contract §8), so one that comes late
 * was held back, and a call held back until it suits somebody is not run.
 * @returns the window after it, and how many numbers before it never came
 * @throws EncryptionError `replayed`, `reordered`
 */
export function admitSequence(
  { highest, missing }: SequenceWindow,
  sequence: number,
): { readonly window: SequenceWindow; readonly missed: number } {
  if (missing.includes(sequence)) refuse("reordered");
  if (sequence <= highest) refuse("replayed");
  const missed = sequence - highest - 1;
  const listed = Math.min(missed, MISSING_KEPT);
  const skipped = Array.from({ length: listed }, (_, at) => sequence - listed + at);
  return {
    window: { highest: sequence, missing: [...missing, ...skipped].slice(-MISSING_KEPT) },
    missed,
  };
}
