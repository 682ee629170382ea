import type { ChainFault } from "../contract/audit-log.ts";
import { sha256Hex } from "../contract/digest.ts";
import type { AcknowledgementRecord, ChainedRecord, CheckpointRecord } from "./audit-record.ts";
import { GENESIS_HASH, type TextHash } from "./hash-chain.ts";
import { belongsAt, type Finding, PLACES_AROUND, type Place, Suspicion } from "./suspicion.ts";

/** Acknowledged rollbacks listed in a verdict; the oldest are dropped first. */
const ACKNOWLEDGED_MAX = 16;

/** The end of a chain, as remembered by whoever appends to it. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

export type ChainVerdict =
  | {
      readonly ok: true;
      readonly verified: number;
      /** Rollbacks that the person has acknowledged, oldest first; absent: none. */
      readonly acknowledged?: readonly AcknowledgementRecord[];
    }
  | {
      readonly ok: false;
      /** Number of valid records before the named position. */
      readonly verified: number;
      /** Number of the first position whose record does not belong there. */
      readonly seq: number;
      readonly fault: ChainFault;
    };

export interface ChainVerifierOptions {
  /** The host's own. Default: the portable one. */
  readonly sha256?: TextHash;
  /**
   * For part of a log: the record before its first one. Without it, a log whose beginning is
   * missing must contain the checkpoint that confirms it.
   */
  readonly after?: ChainHead;
  /** A record that was once the last one: the log must still contain it. */
  readonly known?: ChainHead | undefined;
}

/**
 * Reads a chain in its stored order, one record at a time and in constant memory, and names the first
 * record that was changed, removed, inserted or reordered. If the beginning of the log was purged, a
 * later checkpoint must confirm the record before its first one.
 */
export class ChainVerifier {
  readonly #sha256: TextHash;
  readonly #after: ChainHead | undefined;
  readonly #known: ChainHead | undefined;
  readonly #recent: Place[] = [];
  readonly #acknowledged: AcknowledgementRecord[] = [];
  #first: ChainedRecord | undefined;
  #last: ChainHead | undefined;
  #verified = 0;
  #owed: ChainHead | undefined;
  #purgedThrough: number | undefined;
  #suspicion: Suspicion | undefined;
  #finding: Finding | undefined;

  constructor({ sha256 = sha256Hex, after, known }: ChainVerifierOptions = {}) {
    this.#sha256 = sha256;
    this.#after = after;
    this.#known = known;
  }

  /** Records accepted so far. */
  get accepted(): number {
    return this.#verified;
  }

  /** Number of the first record that was accepted; null before there is one. */
  get firstSeq(): number | null {
    return this.#first?.seq ?? null;
  }

  /** The last record that was accepted. */
  get last(): ChainHead | null {
    return this.#last ?? null;
  }

  /** False once no later record can change the verdict. */
  accept(entry: ChainedRecord): boolean {
    if (this.#finding !== undefined) return false;
    if (this.#suspicion !== undefined) this.#suspicion.examine(entry);
    else if (this.#fits(entry)) this.#take(entry);
    else this.#suspect(entry);
    this.#finding ??= this.#suspicion?.finding;
    return this.#finding === undefined;
  }

  finish(head?: ChainHead): ChainVerdict {
    const finding =
      this.#finding ??
      this.#suspicion?.conclude(head?.hash) ??
      this.#unanchored() ??
      this.#endOf(head);
    if (finding === undefined) return this.#holds();
    const { fault, seq } = finding;
    const before = Math.max(0, seq - (this.firstSeq ?? seq));
    const verified = Math.min(this.#verified, before);
    return { ok: false, verified, seq, fault };
  }

  #holds(): ChainVerdict {
    const verified = this.#verified;
    const acknowledged = [...this.#acknowledged];
    return acknowledged.length === 0
      ? { ok: true, verified }
      : { ok: true, verified, acknowledged };
  }

  #fits(entry: ChainedRecord): boolean {
    const before = this.#placeBefore(entry);
    return (
      entry.seq === before.seq + 1 &&
      (before.hash === null || entry.prev_hash === before.hash) &&
      belongsAt(entry, entry.seq, this.#sha256)
    );
  }

  #placeBefore(entry: ChainedRecord): Place {
    if (this.#last !== undefined) return this.#last;
    if (this.#after !== undefined) return this.#after;
    return entry.seq === 1 ? { seq: 0, hash: GENESIS_HASH } : { seq: entry.seq - 1, hash: null };
  }

  #take(entry: ChainedRecord): void {
    const { seq, hash } = entry;
    if (this.#first === undefined) this.#begin(entry);
    this.#last = { seq, hash };
    this.#remember(this.#last);
    this.#verified += 1;
    if (entry.record.kind === "checkpoint") this.#cover(entry.record);
    if (entry.record.kind === "acknowledgement") this.#acknowledge(entry.record);
    // Everything so far is consistent, but this is not the record that was once here.
    if (this.#known?.seq === seq && this.#known.hash !== hash) {
      this.#finding = { fault: "changed", seq };
    }
  }

  #cover({ purged_through_seq: seq, purged_through_hash: hash }: CheckpointRecord): void {
    if (this.#owed === undefined) return;
    if (seq === this.#owed.seq && hash === this.#owed.hash) this.#owed = undefined;
    else if (seq < this.#owed.seq) this.#purgedThrough = Math.max(seq, this.#purgedThrough ?? 0);
  }

  #acknowledge(record: AcknowledgementRecord): void {
    this.#acknowledged.push(record);
    if (this.#acknowledged.length > ACKNOWLEDGED_MAX) this.#acknowledged.shift();
  }

  #begin(entry: ChainedRecord): void {
    const before = { seq: entry.seq - 1, hash: entry.prev_hash };
    this.#first = entry;
    this.#remember(before);
    if (this.#after === undefined && entry.seq !== 1) this.#owed = before;
  }

  #suspect(entry: ChainedRecord): void {
    const accepted = {
      last: this.#placeBefore(entry),
      first: this.firstSeq,
      recent: (seq: number) => {
        const place = this.#recent[seq % PLACES_AROUND];
        return place?.seq === seq ? place : undefined;
      },
    };
    this.#suspicion = new Suspicion(entry, accepted, this.#sha256);
  }

  #remember(place: Place): void {
    this.#recent[place.seq % PLACES_AROUND] = place;
  }

  #unanchored(): Finding | undefined {
    if (this.#owed === undefined) return undefined;
    // A purge removed exactly the records up to here.
    if (this.#purgedThrough !== undefined) {
      return { fault: "missing", seq: this.#purgedThrough + 1 };
    }
    return { fault: "unanchored", seq: this.#owed.seq + 1 };
  }

  #endOf(head: ChainHead | undefined): Finding | undefined {
    const last = this.#last ?? this.#after ?? { seq: 0, hash: GENESIS_HASH };
    const reaches = Math.max(head?.seq ?? 0, this.#known?.seq ?? 0);
    if (last.seq < reaches) return { fault: "missing", seq: last.seq + 1 };
    if (head === undefined) return undefined;
    if (last.seq > head.seq) return { fault: "inserted", seq: head.seq + 1 };
    return last.hash === head.hash ? undefined : { fault: "changed", seq: last.seq };
  }
}
