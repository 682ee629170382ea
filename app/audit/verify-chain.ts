import type { ChainFault } from "../contract/chain-faults.ts";
import { sha256Hex } from "../contract/digest.ts";
import type { AuditRecord, ChainedRecord } from "./audit-record.ts";
import { GENESIS_HASH, recordHash, type TextHash } from "./hash-chain.ts";

/** Where a chain ends, as whoever appends to it remembers. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

export type ChainVerdict =
  | { readonly ok: true; readonly verified: number }
  | {
      readonly ok: false;
      /** Records before the named one that fit. */
      readonly verified: number;
      /** Number of the first record that does not fit. */
      readonly seq: number;
      readonly fault: ChainFault;
    };

/**
 * Walks a chain in its stored order and names the first record that was changed, removed,
 * inserted or reordered. A log whose beginning was purged must carry, somewhere later, the
 * checkpoint that vouches for the record before its first one.
 *
 * @param head without it, records cut off the end or put after it cannot be noticed
 */
export function verifyChain(records: Iterable<ChainedRecord>, head?: ChainHead): ChainVerdict {
  const verifier = new ChainVerifier();
  for (const entry of records) {
    if (!verifier.accept(entry)) break;
  }
  return verifier.finish(head);
}

/** The same walk, one record at a time, for a reader that must not hold up its thread. */
export class ChainVerifier {
  readonly #sha256: TextHash;
  #verified = 0;
  #previous: ChainedRecord | undefined;
  #owed: (ChainHead & { readonly first: number }) | undefined;
  #verdict: ChainVerdict | undefined;
  /** A number that was passed over; found later it was reordered, else it is missing. */
  #gap: number | undefined;
  /** A record that does not follow its predecessor: one of the two was changed. */
  #unlinked: ChainedRecord | undefined;

  constructor(sha256: TextHash = sha256Hex) {
    this.#sha256 = sha256;
  }

  /** False once nothing that follows can alter the verdict. */
  accept(entry: ChainedRecord): boolean {
    if (this.#verdict !== undefined) return false;
    if (this.#gap !== undefined) this.#lookForGap(entry, this.#gap);
    else if (this.#unlinked !== undefined) this.#judgeLink(this.#unlinked, entry);
    else if (entry.hash !== this.#hashOf(entry)) this.#settle("changed", entry.seq);
    else if (this.#previous === undefined) this.#begin(entry);
    else this.#follow(this.#previous, entry);
    return this.#verdict === undefined;
  }

  finish(head?: ChainHead): ChainVerdict {
    if (this.#verdict !== undefined) return this.#verdict;
    if (this.#gap !== undefined) return this.#settle("missing", this.#gap);
    if (this.#unlinked !== undefined) return this.#blamePrevious(this.#unlinked);
    if (this.#owed !== undefined) {
      this.#verified = 0;
      return this.#settle("unanchored", this.#owed.first);
    }
    return this.#compareEnd(head) ?? { ok: true, verified: this.#verified };
  }

  #begin(entry: ChainedRecord): void {
    if (entry.seq !== 1) {
      this.#owed = { seq: entry.seq - 1, hash: entry.prev_hash, first: entry.seq };
    } else if (entry.prev_hash !== GENESIS_HASH) {
      this.#settle("changed", entry.seq);
      return;
    }
    this.#fits(entry);
  }

  #follow(previous: ChainedRecord, entry: ChainedRecord): void {
    if (entry.seq === previous.seq) this.#settle("inserted", entry.seq);
    else if (entry.seq < previous.seq) this.#settle("reordered", entry.seq);
    else if (entry.seq !== previous.seq + 1) this.#gap = previous.seq + 1;
    else if (entry.prev_hash !== previous.hash) this.#unlinked = entry;
    else this.#fits(entry);
  }

  #fits(entry: ChainedRecord): void {
    if (this.#owed !== undefined && vouchesFor(entry.record, this.#owed)) this.#owed = undefined;
    this.#previous = entry;
    this.#verified += 1;
  }

  #lookForGap(entry: ChainedRecord, gap: number): void {
    if (entry.seq === gap) this.#settle("reordered", gap);
  }

  /** What follows tells which of the two still stands: a record its successor links to does. */
  #judgeLink(unlinked: ChainedRecord, next: ChainedRecord): void {
    if (next.prev_hash === unlinked.hash) this.#blamePrevious(unlinked);
    else this.#settle("changed", unlinked.seq);
  }

  #blamePrevious(unlinked: ChainedRecord): ChainVerdict {
    this.#verified -= 1;
    return this.#settle("changed", unlinked.seq - 1);
  }

  #compareEnd(head: ChainHead | undefined): ChainVerdict | undefined {
    if (head === undefined) return undefined;
    const last = this.#previous?.seq ?? 0;
    const lastHash = this.#previous?.hash ?? GENESIS_HASH;
    if (last < head.seq) return this.#settle("missing", last + 1);
    if (last > head.seq) {
      this.#verified -= last - head.seq;
      return this.#settle("inserted", head.seq + 1);
    }
    if (lastHash === head.hash) return undefined;
    this.#verified -= 1;
    return this.#settle("changed", last);
  }

  #settle(fault: ChainFault, seq: number): ChainVerdict {
    this.#verdict = { ok: false, verified: Math.max(0, this.#verified), seq, fault };
    return this.#verdict;
  }

  #hashOf(entry: ChainedRecord): string {
    return recordHash(entry.seq, entry.prev_hash, entry.record, this.#sha256);
  }
}

const vouchesFor = (record: AuditRecord, owed: ChainHead): boolean =>
  record.kind === "checkpoint" &&
  record.purged_through_seq === owed.seq &&
  record.purged_through_hash === owed.hash;
