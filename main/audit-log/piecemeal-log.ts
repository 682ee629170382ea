import { type ChainHead, ChainVerifier } from "../../app/audit/verify-chain.ts";
import { fastSha256 } from "../storage/index.ts";
import { readEntry, readHeader } from "./jsonl-format.ts";

/** Verifies a whole log whose lines come one by one, in constant memory. */
export class PiecemealLog {
  readonly #verifier = new ChainVerifier({ sha256: fastSha256 });
  /** Undefined until its first line came. */
  #head: ChainHead | null | undefined;
  #until: number | null = null;

  /** Whether the line belongs where it stands. */
  accept(line: string): boolean {
    if (this.#head === undefined) {
      const header = readHeader(line);
      if (header === null || header === "salvage" || !header.whole) return false;
      this.#head = header.head;
      return true;
    }
    const entry = readEntry(line);
    if (entry === null || !this.#verifier.accept(entry)) return false;
    // Of a record of another shape anything may be there; that one has another hash.
    if (Number.isSafeInteger(entry.record.timestamp)) this.#until = entry.record.timestamp;
    return true;
  }

  get records(): number {
    return this.#verifier.accepted;
  }

  /** When its last record was made; null: it has none. */
  get until(): number | null {
    return this.#until;
  }

  /** `cut_off`: lines that its first one announces are missing. */
  finish(): "ok" | "cut_off" | "broken" {
    if (this.#head === undefined) return "cut_off";
    const last = this.#verifier.last;
    if ((this.#head?.seq ?? 0) > (last?.seq ?? 0)) return "cut_off";
    return this.#verifier.finish(this.#head ?? undefined).ok ? "ok" : "broken";
  }
}
