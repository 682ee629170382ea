import type { Database, Statement } from "better-sqlite3";
import type { ActivitySummary } from "../../../app/bridge/views.ts";
import type { LineFilter } from "./activity-filter.ts";
import { DAY_MS } from "./activity-lines.ts";
import { FacetChoice, type Strand } from "./facet-choice.ts";
import type { PageReader } from "./page-reader.ts";
import { type Bounds, SeqBounds } from "./seq-bounds.ts";
import { Tallies, type Tally } from "./tallies.ts";

const PAGE = 500;

interface FacetCount {
  readonly facet_id: number;
  readonly lines: number;
}

/** What the charts show: how many calls ended in which way, by day and by agent. */
export class SummaryReader {
  readonly #db: Database;
  readonly #pages: PageReader;
  readonly #bounds: SeqBounds;
  readonly #facets: FacetChoice;
  readonly #wholeDays: Statement<[object], Tally>;
  readonly #within: Statement<[object], FacetCount>;
  readonly #name: Statement<[string], string>;

  constructor(db: Database, pages: PageReader) {
    this.#db = db;
    this.#pages = pages;
    this.#bounds = new SeqBounds(db);
    this.#facets = new FacetChoice(db);
    this.#wholeDays = db.prepare(
      `SELECT f.agent_id, f.ending, d.day, sum(d.lines) AS lines FROM json_each(@facets) wanted
         CROSS JOIN facets f ON f.facet_id = wanted.value
         CROSS JOIN facet_days d ON d.facet_id = f.facet_id
       WHERE d.day >= @first AND d.day < @end GROUP BY 1, 2, 3`,
    );
    this.#within = db.prepare(
      `SELECT wanted.value AS facet_id, (SELECT count(*) FROM activity_lines
           INDEXED BY activity_lines_facet
           WHERE facet_id = wanted.value AND seq > @above AND seq < @below) AS lines
       FROM json_each(@facets) wanted`,
    );
    this.#name = db.prepare<[string], string>("SELECT name FROM agents WHERE agent_id = ?").pluck();
  }

  /**
   * Of everything the filter lets through, calls that run included in `total` alone. Yields
   * between steps of some milliseconds; what is written meanwhile may or may not be counted.
   */
  async summary(filter: LineFilter, pause: () => Promise<void>): Promise<ActivitySummary> {
    const tallies = new Tallies();
    if (filter.status === "running") {
      await this.#tallyLines(tallies, filter, pause);
    } else if (!this.#tallyAtOnce(tallies, filter)) {
      await this.#tallyLines(tallies, filter, pause);
    } else if (filter.status == null) {
      await this.#tallyLines(tallies, { ...filter, status: "running" }, pause);
    }
    return tallies.summary((agentId) => this.#name.get(agentId) ?? "");
  }

  /** False where counts cannot tell: for searches, and for names that agents chose. */
  #tallyAtOnce(tallies: Tallies, filter: LineFilter): boolean {
    const { call_id, arguments_digest, conversation_id } = filter;
    if ((call_id ?? arguments_digest ?? conversation_id) != null) return false;
    return this.#db.transaction(() => {
      const strands = this.#facets.strandsOf(filter);
      if (strands.some(({ name_head }) => name_head !== null)) return false;
      for (const tally of this.#tallyFacets(filter, strands)) tallies.add(tally);
      return true;
    })();
  }

  /** Whole days from their counts, the days cut by the filter's ends from an index. */
  #tallyFacets(filter: LineFilter, strands: readonly Strand[]): readonly Tally[] {
    const extent = this.#bounds.extent();
    if (extent === null) return [];
    const from = Math.max(filter.from ?? 0, 0);
    const to = Math.min(filter.to ?? Number.MAX_SAFE_INTEGER, extent.newest + 1);
    if (from >= to) return [];
    const first = Math.ceil(from / DAY_MS);
    const end =
      to > extent.newest ? Math.floor(extent.newest / DAY_MS) + 1 : Math.floor(to / DAY_MS);
    if (first > end) return this.#tallyWithin(strands, from, to);
    return [
      ...(from < first * DAY_MS ? this.#tallyWithin(strands, from, first * DAY_MS) : []),
      ...this.#tallyWhole(strands, first, end),
      ...(end * DAY_MS < to ? this.#tallyWithin(strands, end * DAY_MS, to) : []),
    ];
  }

  #tallyWhole(strands: readonly Strand[], first: number, end: number): readonly Tally[] {
    const facets = JSON.stringify(strands.map(({ facet_id }) => facet_id));
    return this.#wholeDays.all({ facets, first, end });
  }

  /** All of it within one day. */
  #tallyWithin(strands: readonly Strand[], from: number, to: number): readonly Tally[] {
    const byId = new Map(strands.map((strand) => [strand.facet_id, strand]));
    const bounds: Bounds = this.#bounds.of({ from, to });
    return this.#within
      .all({ facets: JSON.stringify([...byId.keys()]), ...bounds })
      .flatMap(({ facet_id, lines }) =>
        tallyOf(byId.get(facet_id), Math.floor(from / DAY_MS), lines),
      );
  }

  /** Line by line, as pages give them. */
  async #tallyLines(
    tallies: Tallies,
    filter: LineFilter,
    pause: () => Promise<void>,
  ): Promise<void> {
    let before: number | null = null;
    do {
      const page = this.#pages.page({ ...filter, before_seq: before, limit: PAGE });
      for (const { agent_id, status, timestamp } of page.rows) {
        tallies.add({ agent_id, ending: status, day: Math.floor(timestamp / DAY_MS), lines: 1 });
      }
      before = page.next_before_seq;
      if (before !== null) await pause();
    } while (before !== null);
  }
}

const tallyOf = (strand: Strand | undefined, day: number, lines: number): readonly Tally[] =>
  strand === undefined || lines === 0
    ? []
    : [{ agent_id: strand.agent_id, ending: strand.ending, day, lines }];
