import { refuse } from "../encryption-error.ts";

/** Which sequence numbers were accepted from one sender in one conversation. */
export interface SequenceWindow {
  readonly highest: number;
  /** Lower numbers that never arrived, ascending; only the most recent are remembered. */
  readonly missing: readonly number[];
}

export const NOTHING_RECEIVED: SequenceWindow = { highest: 0, missing: [] };

const MISSING_KEPT = 64;

/**
 * Accepts only rising numbers. The hub delivers a conversation in order (contract §8), so a late
 * envelope was held back, and a call that somebody held back must not run.
 * @returns the window afterwards, and how many earlier numbers never arrived
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
