import type { Database, Statement } from "better-sqlite3";
import type { ActivitySummary } from "../../../app/bridge/views.ts";
import type { LineFilter } from "./activity-filter.ts";
import { DAY_MS, HOUR_MS } from "./activity-lines.ts";
import { FacetChoice, type Strand } from "./facet-choice.ts";
import type { PageReader } from "./page-reader.ts";
import { type Bounds, SeqBounds } from "./seq-bounds.ts";
import { Tallies, type Tally } from "./tallies.ts";

const PAGE = 500;
/** With more strands than this, an hour is read line by line instead of strand by strand. */
const FEW_STRANDS = 32;

interface FacetCount {
  readonly facet_id: number;
  readonly lines: number;
}

/** The numbers in the charts: how many calls ended in which way, by day and by agent. */
export class SummaryReader {
  readonly #db: Database;
  readonly #pages: PageReader;
  readonly #bounds: SeqBounds;
  readonly #facets: FacetChoice;
  readonly #wholeDays: Statement<[object], Tally>;
  readonly #wholeHours: Statement<[object], Tally>;
  readonly #within: Statement<[object], FacetCount>;
  readonly #allWithin: Statement<[object], FacetCount>;
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
    this.#wholeHours = db.prepare(
      `SELECT f.agent_id, f.ending, h.hour / 24 AS day, sum(h.lines) AS lines FROM facet_hours h
         CROSS JOIN facets f ON f.facet_id = h.facet_id
       WHERE h.hour >= @first AND h.hour < @end
         AND h.facet_id IN (SELECT value FROM json_each(@facets)) GROUP BY 1, 2, 3`,
    );
    this.#allWithin = db.prepare(
      `SELECT facet_id, count(*) AS lines FROM activity_lines NOT INDEXED
       WHERE seq > @above AND seq < @below GROUP BY 1`,
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
   * Counts everything that the filter selects; running calls are counted in `total` only. Yields
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

  /** False if the stored counts are not enough: for searches, and for names that agents made up. */
  #tallyAtOnce(tallies: Tallies, filter: LineFilter): boolean {
    const { call_id, arguments_digest, conversation_id, subject } = filter;
    if ((call_id ?? arguments_digest ?? conversation_id ?? subject) != null) return false;
    return this.#db.transaction(() => {
      const strands = this.#facets.strandsOf(filter);
      if (strands.some(({ name_head }) => name_head !== null)) return false;
      for (const tally of this.#tallyFacets(filter, strands)) tallies.add(tally);
      return true;
    })();
  }

  /**
   * Whole days from their counts; for days that the period covers only in part, whole hours from
   * theirs. Before the oldest record and after the newest there is nothing to cut.
   */
  #tallyFacets(filter: LineFilter, strands: readonly Strand[]): readonly Tally[] {
    const extent = this.#bounds.extent();
    if (extent === null) return [];
    const begin = Math.floor(extent.oldest / DAY_MS) * DAY_MS;
    const end = (Math.floor(extent.newest / DAY_MS) + 1) * DAY_MS;
    const from = (filter.from ?? 0) <= extent.oldest ? begin : (filter.from ?? 0);
    const to = (filter.to ?? end) > extent.newest ? end : (filter.to ?? end);
    return cut(from, to, DAY_MS, {
      whole: (first, last) => this.#tallyUnits(this.#wholeDays, strands, first, last),
      part: (since, until) =>
        cut(since, until, HOUR_MS, {
          whole: (first, last) => this.#tallyUnits(this.#wholeHours, strands, first, last),
          part: (a, b) => this.#tallyWithin(strands, a, b),
        }),
    });
  }

  #tallyUnits(
    statement: Statement<[object], Tally>,
    strands: readonly Strand[],
    first: number,
    end: number,
  ): readonly Tally[] {
    const facets = JSON.stringify(strands.map(({ facet_id }) => facet_id));
    return statement.all({ facets, first, end });
  }

  /** A period within one hour. */
  #tallyWithin(strands: readonly Strand[], from: number, to: number): readonly Tally[] {
    const byId = new Map(strands.map((strand) => [strand.facet_id, strand]));
    const bounds: Bounds = this.#bounds.of({ from, to });
    const counts =
      strands.length > FEW_STRANDS
        ? this.#allWithin.all(bounds)
        : this.#within.all({ facets: JSON.stringify([...byId.keys()]), ...bounds });
    return counts.flatMap(({ facet_id, lines }) =>
      tallyOf(byId.get(facet_id), Math.floor(from / DAY_MS), lines),
    );
  }

  /** Line by line, as on the pages. */
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

/** Handlers for the whole units of a period, and for the remainders at its ends. */
interface Cutting {
  /** Numbers of units since the epoch, excluding the last. */
  readonly whole: (first: number, end: number) => readonly Tally[];
  /** Milliseconds since the epoch, within one unit. */
  readonly part: (from: number, to: number) => readonly Tally[];
}

function cut(from: number, to: number, unit: number, { whole, part }: Cutting): readonly Tally[] {
  if (from >= to) return [];
  const first = Math.ceil(from / unit);
  const end = Math.floor(to / unit);
  if (first > end) return part(from, to);
  return [
    ...(from < first * unit ? part(from, first * unit) : []),
    ...(first < end ? whole(first, end) : []),
    ...(end * unit < to ? part(end * unit, to) : []),
  ];
}

const tallyOf = (strand: Strand | undefined, day: number, lines: number): readonly Tally[] =>
  strand === undefined || lines === 0
    ? []
    : [{ agent_id: strand.agent_id, ending: strand.ending, day, lines }];
