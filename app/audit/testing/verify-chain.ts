import type { ChainedRecord } from "../audit-record.ts";
import { type ChainHead, type ChainVerdict, ChainVerifier } from "../verify-chain.ts";

/**
 * For tests: the verdict about a whole chain.
 * @param head without it, records removed from or added to the end cannot be noticed
 */
export function verifyChain(records: Iterable<ChainedRecord>, head?: ChainHead): ChainVerdict {
  const verifier = new ChainVerifier();
  for (const entry of records) {
    if (!verifier.accept(entry)) break;
  }
  return verifier.finish(head);
}
