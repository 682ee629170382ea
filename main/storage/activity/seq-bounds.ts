import type { Database, Statement } from "better-sqlite3";
import type { SummaryFilter } from "./activity-filter.ts";

/** A range of the log, excluding both ends. */
export interface Bounds {
  readonly above: number;
  readonly below: number;
}

interface Stamp {
  readonly seq: number;
  readonly timestamp: number;
}

/** Times never decrease along the log, so binary search finds a period. */
export class SeqBounds {
  readonly #ends: Statement<[], { readonly first: number | null; readonly last: number | null }>;
  readonly #from: Statement<[number], Stamp>;

  constructor(db: Database) {
    this.#ends = db.prepare(
      `SELECT (SELECT min(seq) FROM audit_log) AS first, (SELECT max(seq) FROM audit_log) AS last`,
    );
    this.#from = db.prepare(
      "SELECT seq, timestamp FROM audit_log WHERE seq >= ? ORDER BY seq LIMIT 1",
    );
  }

  of({ from, to, before_seq }: Pick<SummaryFilter, "from" | "to" | "before_seq">): Bounds {
    const end = to == null ? Number.MAX_SAFE_INTEGER : this.#firstSince(to);
    return {
      above: from == null ? 0 : this.#firstSince(from) - 1,
      below: Math.min(end, before_seq ?? end),
    };
  }

  /** Number of the first record at or after a time; one past the last if there is none. */
  #firstSince(time: number): number {
    const ends = this.#ends.get();
    let low = ends?.first ?? 1;
    let high = (ends?.last ?? 0) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = this.#from.get(middle);
      if (found === undefined || found.timestamp >= time) high = middle;
      else low = found.seq + 1;
    }
    return low;
  }
}
