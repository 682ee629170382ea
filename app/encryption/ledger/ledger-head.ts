import { equalBytes } from "../bytes/compare-bytes.ts";
import { SIZES } from "../crypto-primitives.ts";

/** How much of a ledger somebody knows: the number of entries and the last one's hash. */
export interface LedgerHead {
  readonly length: number;
  readonly hash: Uint8Array;
}

/** Nothing seen yet. */
export const NO_LEDGER: LedgerHead = { length: 0, hash: new Uint8Array(SIZES.hash) };

/**
 * How the other end's head compares with ours. `behind`: the other end knows more; ask the hub for
 * it. `ahead`: the other end has not seen everything; the hub may be hiding a revocation from it.
 * `forked`: the two ends were shown different ledgers.
 */
export type HeadComparison = "same" | "behind" | "ahead" | "forked";

export function compareHeads(own: LedgerHead, theirs: LedgerHead): HeadComparison {
  if (own.length < theirs.length) return "behind";
  if (own.length > theirs.length) return "ahead";
  return equalBytes(own.hash, theirs.hash) ? "same" : "forked";
}
