import { assertNever } from "../contract/assert-never.ts";
import type { ChainFault } from "../contract/chain-faults.ts";
import type { ChainedRecord } from "./audit-record.ts";
import type { TextHash } from "./hash-chain.ts";
import { belongsAt, truePlace } from "./true-place.ts";

/** The place of a record that was accepted; its hash is null where nothing tells it. */
export interface Place {
  readonly seq: number;
  readonly hash: string | null;
}

export interface Finding {
  readonly fault: ChainFault;
  /** Number of the first place that does not hold what belongs there. */
  readonly seq: number;
}

/** What was accepted so far, as far as a suspicion needs it. */
export interface Accepted {
  /** The place before the suspect's. */
  readonly last: Place;
  /** Number of the first record there was; null when the suspect is it. */
  readonly first: number | null;
  /** The accepted record of this number, where it is still remembered. */
  recent(seq: number): Place | undefined;
}

/**
 * What is wrong about the suspect:
 * - `foreign`: its content is not what its hash was taken of
 * - `ahead`: it is a record from further on, so what belongs here is gone or elsewhere
 * - `leaping`: it follows the record before it, but skips numbers
 * - `early`: it was written before the first record there is
 * - `unlinked`: sound in itself, but it follows another record than the one before it
 */
type Wrong = "foreign" | "ahead" | "leaping" | "early" | "unlinked";

/**
 * The first record that does not fit. What was done to the log shows only in what follows it, so
 * it is kept until one of the explanations is proven or the log ends. Constant memory.
 */
export class Suspicion {
  readonly #suspect: ChainedRecord;
  readonly #last: Place;
  readonly #place: number;
  readonly #sha256: TextHash;
  readonly #wrong: Wrong | null;
  readonly #isFirst: boolean;
  #finding: Finding | undefined;
  #next: ChainedRecord | undefined;
  /** A sound record from further on stands between the suspect and what is read now. */
  #passedSound = false;
  /** The lowest number found that should have come before the first record. */
  #earliest = Number.POSITIVE_INFINITY;

  constructor(suspect: ChainedRecord, accepted: Accepted, sha256: TextHash) {
    this.#suspect = suspect;
    this.#last = accepted.last;
    this.#place = accepted.last.seq + 1;
    this.#sha256 = sha256;
    this.#isFirst = accepted.first === null;
    const wrote = truePlace(suspect, sha256);
    this.#finding = wrote === null ? undefined : this.#provenAtOnce(wrote, accepted);
    this.#wrong = this.#finding === undefined ? this.#wrongWith(wrote, accepted) : null;
  }

  /** Set once nothing that follows can alter it. */
  get finding(): Finding | undefined {
    return this.#finding;
  }

  examine(entry: ChainedRecord): void {
    if (this.#finding !== undefined || this.#wrong === null) return;
    this.#finding = this.#provenBy(entry, this.#wrong);
    this.#next ??= entry;
  }

  /** @param headHash hash of the log's last record, as remembered elsewhere */
  conclude(headHash: string | undefined): Finding {
    if (this.#finding !== undefined || this.#wrong === null) {
      return this.#finding ?? this.#here("changed");
    }
    switch (this.#wrong) {
      case "ahead":
        return this.#here("missing");
      case "early":
        return { fault: "reordered", seq: this.#earliest };
      case "foreign":
      case "leaping":
        return this.#here("changed");
      case "unlinked":
        return this.#unlinkedAtEnd(headHash);
      default:
        return assertNever(this.#wrong);
    }
  }

  #provenAtOnce(wrote: number, { first, recent }: Accepted): Finding | undefined {
    const { prev_hash, hash } = this.#suspect;
    if (wrote === this.#place && this.#follows(prev_hash)) return this.#here("changed");
    if (wrote >= this.#place) return undefined;
    if (first !== null && wrote < first) return undefined;
    const stands = recent(wrote);
    const before = recent(wrote - 1);
    // The true one comes only now: what was accepted in its place had been put there.
    const wasDisplaced = before?.hash === prev_hash && stands?.hash !== hash;
    return wasDisplaced ? { fault: "inserted", seq: wrote } : this.#here("inserted");
  }

  #wrongWith(wrote: number | null, { first }: Accepted): Wrong {
    if (wrote === null) return "foreign";
    if (first !== null && wrote < first) {
      this.#earliest = wrote;
      return "early";
    }
    if (wrote === this.#place) return "unlinked";
    return this.#follows(this.#suspect.prev_hash) ? "leaping" : "ahead";
  }

  #provenBy(entry: ChainedRecord, wrong: Wrong): Finding | undefined {
    const isSound = belongsAt(entry, entry.seq, this.#sha256);
    if (wrong === "early") {
      if (isSound) this.#earliest = Math.min(this.#earliest, entry.seq);
      return undefined;
    }
    const isDue = this.#follows(entry.prev_hash) && belongsAt(entry, this.#place, this.#sha256);
    if (isDue) return this.#here(wrong === "ahead" || this.#passedSound ? "reordered" : "inserted");
    this.#passedSound ||= isSound && entry.seq > this.#place;
    if (wrong === "ahead")
      return this.#isBeforeSuspect(entry) ? this.#here("reordered") : undefined;
    return wrong === "foreign" && isSound ? this.#provenBySuccessor(entry) : undefined;
  }

  /** The last of the records that should have come before the suspect comes after it. */
  #isBeforeSuspect(entry: ChainedRecord): boolean {
    return entry.hash === this.#suspect.prev_hash && truePlace(entry, this.#sha256) !== null;
  }

  /** A sound record that follows the suspect's hash tells where the hash was written. */
  #provenBySuccessor(entry: ChainedRecord): Finding | undefined {
    if (entry.prev_hash !== this.#suspect.hash) return undefined;
    const wrote = entry.seq - 1;
    if (wrote === this.#place) return this.#here("changed");
    return belongsAt(this.#suspect, wrote, this.#sha256) ? this.#here("reordered") : undefined;
  }

  /** Of two records that do not fit together, the one that its successor knows still stands. */
  #unlinkedAtEnd(headHash: string | undefined): Finding {
    const known = this.#next?.prev_hash ?? headHash ?? this.#suspect.hash;
    const stands = known === this.#suspect.hash && !this.#isFirst;
    return { fault: "changed", seq: stands ? this.#last.seq : this.#place };
  }

  #follows(prevHash: string): boolean {
    return prevHash === this.#last.hash;
  }

  #here(fault: ChainFault): Finding {
    return { fault, seq: this.#place };
  }
}
