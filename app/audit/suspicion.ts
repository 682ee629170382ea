import { assertNever } from "../contract/assert-never.ts";
import type { ChainFault } from "../contract/audit-log.ts";
import type { ChainedRecord } from "./audit-record.ts";
import { recordHash, type TextHash } from "./hash-chain.ts";

/** How far around its present position a record's original one is searched for, in records. */
export const PLACES_AROUND = 256;

/** Whether the record's hash matches its content at this position. */
export const belongsAt = (entry: ChainedRecord, seq: number, sha256: TextHash): boolean =>
  recordHash(seq, entry.prev_hash, entry.record, sha256) === entry.hash;

/**
 * The number under which the record was written, whatever number it has now: its hash covers it.
 * Null if its hash does not match its content, or it was moved further than is searched.
 */
function truePlace(entry: ChainedRecord, sha256: TextHash): number | null {
  const { seq } = entry;
  if (!Number.isSafeInteger(seq)) return null;
  if (belongsAt(entry, seq, sha256)) return seq;
  for (let away = 1; away <= PLACES_AROUND; away += 1) {
    if (belongsAt(entry, seq + away, sha256)) return seq + away;
    if (seq - away > 0 && belongsAt(entry, seq - away, sha256)) return seq - away;
  }
  return null;
}

/** The position of an accepted record; its hash is null if unknown. */
export interface Place {
  readonly seq: number;
  readonly hash: string | null;
}

export interface Finding {
  readonly fault: ChainFault;
  /** Number of the first position whose record does not belong there. */
  readonly seq: number;
}

/** What was accepted so far, as far as a suspicion needs it. */
export interface Accepted {
  /** The position before the suspect's. */
  readonly last: Place;
  /** Number of the first record; null if the suspect is the first. */
  readonly first: number | null;
  /** The accepted record with this number, if it is still remembered. */
  recent(seq: number): Place | undefined;
}

/**
 * What is wrong with the suspect:
 * - `foreign`: its hash does not match its content
 * - `ahead`: it is a later record, so the one that belongs here is missing or elsewhere
 * - `leaping`: it follows the previous record, but skips numbers
 * - `early`: it was written before the first record
 * - `unlinked`: valid in itself, but its predecessor is not the previous record
 */
type Wrong = "foreign" | "ahead" | "leaping" | "early" | "unlinked";

/**
 * The first record that does not fit. Only later records show what was done to the log, so it is
 * kept until one explanation is proven or the log ends. Uses constant memory.
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
  /** There is a valid later record between the suspect and the current one. */
  #passedSound = false;
  /** The lowest number of a record that should have come before the first one. */
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

  /** Set once no later record can change it. */
  get finding(): Finding | undefined {
    return this.#finding;
  }

  examine(entry: ChainedRecord): void {
    if (this.#finding !== undefined || this.#wrong === null) return;
    this.#finding = this.#provenBy(entry, this.#wrong);
    this.#next ??= entry;
  }

  /** @param headHash hash of the log's last record, as stored elsewhere */
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
    // The genuine record only appears now: the one accepted in its place was inserted.
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

  /** The last of the records that belong before the suspect comes after it. */
  #isBeforeSuspect(entry: ChainedRecord): boolean {
    return entry.hash === this.#suspect.prev_hash && truePlace(entry, this.#sha256) !== null;
  }

  /** A valid record that refers to the suspect's hash shows where that hash was written. */
  #provenBySuccessor(entry: ChainedRecord): Finding | undefined {
    if (entry.prev_hash !== this.#suspect.hash) return undefined;
    const wrote = entry.seq - 1;
    if (wrote === this.#place) return this.#here("changed");
    return belongsAt(this.#suspect, wrote, this.#sha256) ? this.#here("reordered") : undefined;
  }

  /** Of two records that do not fit together, the one that its successor refers to is valid. */
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
