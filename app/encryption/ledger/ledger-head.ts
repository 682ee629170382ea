import { equalBytes } from "../bytes/compare-bytes.ts";
import { SIZES } from "../crypto-primitives.ts";

/** How far somebody knows a ledger: the number of entries and the last one's hash. */
export interface LedgerHead {
  readonly length: number;
  readonly hash: Uint8Array;
}

/** Nothing seen yet. */
export const NO_LEDGER: LedgerHead = { length: 0, hash: new Uint8Array(SIZES.hash) };

/**
 * What the other end's head says about ours. `behind`: the other knows more, ask the hub for it.
 * `ahead`: the other has not seen it all, the hub may be keeping a revocation from it. `forked`:
 * somebody showed the two ends different ledgers.
 */
export type HeadComparison = "same" | "behind" | "ahead" | "forked";

export function compareHeads(own: LedgerHead, theirs: LedgerHead): HeadComparison {
  if (own.length < theirs.length) return "behind";
  if (own.length > theirs.length) return "ahead";
  return equalBytes(own.hash, theirs.hash) ? "same" : "forked";
}
