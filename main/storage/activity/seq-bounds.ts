import type { Database, Statement } from "better-sqlite3";
import type { LineFilter } from "./activity-filter.ts";

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
  readonly #first: Statement<[], Stamp>;
  readonly #last: Statement<[], Stamp>;
  readonly #from: Statement<[number], Stamp>;

  constructor(db: Database) {
    this.#first = db.prepare("SELECT seq, timestamp FROM audit_log ORDER BY seq LIMIT 1");
    this.#last = db.prepare("SELECT seq, timestamp FROM audit_log ORDER BY seq DESC LIMIT 1");
    this.#from = db.prepare(
      "SELECT seq, timestamp FROM audit_log WHERE seq >= ? ORDER BY seq LIMIT 1",
    );
  }

  of(filter: Pick<LineFilter, "from" | "to">): Bounds {
    return {
      above: filter.from == null ? 0 : this.firstSince(filter.from) - 1,
      below: filter.to == null ? Number.MAX_SAFE_INTEGER : this.firstSince(filter.to),
    };
  }

  /** Timestamps of the oldest and newest record; null in an empty log. */
  extent(): { readonly oldest: number; readonly newest: number } | null {
    const first = this.#first.get();
    const last = this.#last.get();
    if (first === undefined || last === undefined) return null;
    return { oldest: first.timestamp, newest: last.timestamp };
  }

  /** The time of the first record with this number or a higher one, milliseconds; 0 if none has. */
  timeOf(seq: number): number {
    return this.#from.get(seq)?.timestamp ?? 0;
  }

  /** Number of the first record at or after a time; one past the last if there is none. */
  firstSince(time: number): number {
    let low = this.#first.get()?.seq ?? 1;
    let high = (this.#last.get()?.seq ?? 0) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = this.#from.get(middle);
      if (found === undefined || found.timestamp >= time) high = middle;
      else low = found.seq + 1;
    }
    return low;
  }
}
