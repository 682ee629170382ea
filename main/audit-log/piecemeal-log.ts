import { type ChainHead, ChainVerifier } from "../../app/audit/verify-chain.ts";
import { fastSha256 } from "../storage/index.ts";
import { readEntry, readHeader } from "./jsonl-format.ts";

/** The line after the header's. */
const FIRST_ENTRY = 2;

/** Verifies a whole log whose lines come one by one, in constant memory. */
export class PiecemealLog {
  readonly #verifier = new ChainVerifier({ sha256: fastSha256 });
  /** Undefined until its first line came. */
  #head: ChainHead | null | undefined;
  #entries = 0;
  #until: number | null = null;

  /**
   * Null, or the number of the first line that does not belong where it stands: this one, or one before
   * it that only this one proves wrong.
   */
  accept(line: string): number | null {
    if (this.#head === undefined) {
      const header = readHeader(line);
      if (header === null || header === "salvage" || !header.whole) return 1;
      this.#head = header.head;
      return null;
    }
    this.#entries += 1;
    const entry = readEntry(line);
    if (entry === null) return FIRST_ENTRY + this.#verifier.accepted;
    if (!this.#verifier.accept(entry)) return FIRST_ENTRY + this.#verifier.finish().verified;
    // Of a record of another shape anything may be there; that one has another hash.
    if (Number.isSafeInteger(entry.record.timestamp)) this.#until = entry.record.timestamp;
    return null;
  }

  get records(): number {
    return this.#verifier.accepted;
  }

  /** When its last record was made; null: it has none. */
  get until(): number | null {
    return this.#until;
  }

  /**
   * `cut_off`: lines that its first one announces are missing. A number: as of `accept`, which the end
   * proves wrong.
   */
  finish(): "ok" | "cut_off" | number {
    if (this.#head === undefined) return "cut_off";
    const { accepted, last } = this.#verifier;
    const isSound = accepted === this.#entries;
    if (isSound && (this.#head?.seq ?? 0) > (last?.seq ?? 0)) return "cut_off";
    const { ok, verified } = this.#verifier.finish(this.#head ?? undefined);
    return ok ? "ok" : FIRST_ENTRY + verified;
  }
}
