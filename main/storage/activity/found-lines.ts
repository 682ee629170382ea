import type { Database, Statement } from "better-sqlite3";
import type { SummaryFilter } from "./activity-filter.ts";
import { DAY_MS } from "./activity-lines.ts";
import { CandidateReader, type ReadingLimits } from "./candidates.ts";
import type { Strand } from "./facet-choice.ts";
import { SeqBounds } from "./seq-bounds.ts";
import type { Tallies } from "./tallies.ts";

/** Counts the lines that a search finds from the indexes alone, without their records. */
export class FoundLines {
  readonly #limits: ReadingLimits;
  readonly #bounds: SeqBounds;
  readonly #candidates: CandidateReader;
  readonly #facetsOf: Statement<[string], [seq: number, facet: number]>;

  constructor(db: Database, limits: ReadingLimits) {
    this.#limits = limits;
    this.#bounds = new SeqBounds(db);
    this.#candidates = new CandidateReader(db, limits);
    this.#facetsOf = db
      .prepare<[string], [number, number]>(
        `SELECT seq, facet_id FROM activity_lines NOT INDEXED
         WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq DESC`,
      )
      .raw();
  }

  /**
   * Within a transaction.
   * @param strands of the filter, all without a name of their own
   * @returns where the next step begins; null: there is nothing left
   */
  tally(tallies: Tallies, filter: SummaryFilter, strands: readonly Strand[]): number | null {
    const { above, below } = this.#bounds.of(filter);
    const bounds = { above, below: Math.min(below, filter.before_seq ?? below) };
    const { seqs, reached } = this.#candidates.newest(filter, bounds, this.#limits.counted);
    const byId = new Map(strands.map((strand) => [strand.facet_id, strand]));
    const dayOf = this.#days();
    for (const [seq, facet] of this.#facetsOf.all(JSON.stringify(seqs))) {
      const strand = byId.get(facet);
      if (strand === undefined) continue;
      const { agent_id, ending } = strand;
      tallies.add({ agent_id, ending, day: dayOf(seq), lines: 1 });
    }
    return reached;
  }

  /** For lines in their order, the newest first: a day's first number is looked for once. */
  #days(): (seq: number) => number {
    let day = 0;
    let first = Number.POSITIVE_INFINITY;
    return (seq) => {
      if (seq >= first) return day;
      day = Math.floor(this.#bounds.timeOf(seq) / DAY_MS);
      first = this.#bounds.firstSince(day * DAY_MS);
      return day;
    };
  }
}
