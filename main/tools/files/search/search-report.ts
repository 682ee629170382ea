import { LIMITS } from "../../../../app/contract/limits.ts";
import type {
  SearchFilesResult,
  SearchMatch,
} from "../../../../app/contract/tools/search-files.ts";

type Skipped = "binary_skipped" | "large_skipped" | "unreadable_skipped" | "names_skipped";

/** Bytes reserved for everything in a result that is no match. */
const FRAME_BYTES = 1024;

/** What a search has found so far, within the size limit of a result (contract §1). */
export class SearchReport {
  readonly #matches: SearchMatch[] = [];
  readonly #maxResults: number;
  readonly #counts = {
    files_searched: 0,
    binary_skipped: 0,
    large_skipped: 0,
    unreadable_skipped: 0,
    names_skipped: 0,
  };
  #bytes = FRAME_BYTES;
  #truncated: SearchFilesResult["truncated"] = null;

  constructor(maxResults: number) {
    this.#maxResults = maxResults;
  }

  /** True once a match did not fit: there is no point in searching further. */
  get full(): boolean {
    return this.#truncated !== null;
  }

  /** False if it is full: the match is left out, and the result says so. */
  add(match: SearchMatch): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(match)) + 1;
    if (this.#matches.length === this.#maxResults) this.#truncated = "max_results";
    else if (this.#bytes + bytes > LIMITS.resultBytes) this.#truncated = "max_bytes";
    if (this.full) return false;
    this.#bytes += bytes;
    this.#matches.push(match);
    return true;
  }

  searched(): void {
    this.#counts.files_searched += 1;
  }

  skipped(why: Skipped, count = 1): void {
    this.#counts[why] += count;
  }

  result(): SearchFilesResult {
    return { matches: this.#matches, ...this.#counts, truncated: this.#truncated };
  }
}
