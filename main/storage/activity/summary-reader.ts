import type { Database, Statement } from "better-sqlite3";
import type { SummaryStep } from "../../../app/bridge/views.ts";
import type { LineFilter, SummaryFilter } from "./activity-filter.ts";
import { DAY_MS, HOUR_MS } from "./activity-lines.ts";
import { READING_LIMITS, type ReadingLimits } from "./candidates.ts";
import { FacetChoice, type Strand } from "./facet-choice.ts";
import { FoundLines } from "./found-lines.ts";
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
  readonly #found: FoundLines;
  readonly #wholeDays: Statement<[object], Tally>;
  readonly #wholeHours: Statement<[object], Tally>;
  readonly #within: Statement<[object], FacetCount>;
  readonly #allWithin: Statement<[object], FacetCount>;
  readonly #name: Statement<[string], string>;

  constructor(db: Database, pages: PageReader, limits: ReadingLimits = READING_LIMITS) {
    this.#db = db;
    this.#pages = pages;
    this.#bounds = new SeqBounds(db);
    this.#facets = new FacetChoice(db);
    this.#found = new FoundLines(db, limits);
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
   * Counts a part of what the filter selects, in some milliseconds; running calls are counted in
   * `total` only. What is written between two steps may or may not be counted.
   */
  step(filter: SummaryFilter): SummaryStep {
    return this.#db.transaction(() => {
      const tallies = new Tallies();
      const next = this.#tally(tallies, filter);
      const summary = tallies.summary((agentId) => this.#name.get(agentId) ?? "");
      return { ...summary, next_before_seq: next };
    })();
  }

  /** @returns where the next step begins; null: there is nothing left */
  #tally(tallies: Tallies, filter: SummaryFilter): number | null {
    const { status, call_id, subject, before_seq } = filter;
    const strands = this.#facets.strandsOf(filter);
    if (status === "running" || needsTexts(filter, strands))
      return this.#tallyPage(tallies, filter);
    if (status == null && before_seq == null) this.#tallyRunning(tallies, filter);
    if ((call_id ?? subject) != null) return this.#found.tally(tallies, filter, strands);
    for (const tally of this.#tallyFacets(filter, strands)) tallies.add(tally);
    return null;
  }

  /** Line by line, as on the pages. */
  #tallyPage(tallies: Tallies, filter: SummaryFilter): number | null {
    const page = this.#pages.page({ ...filter, limit: PAGE });
    for (const { agent_id, status, timestamp } of page.rows) {
      tallies.add({ agent_id, ending: status, day: Math.floor(timestamp / DAY_MS), lines: 1 });
    }
    return page.next_before_seq;
  }

  #tallyRunning(tallies: Tallies, filter: LineFilter): void {
    let before: number | null = null;
    do {
      before = this.#tallyPage(tallies, { ...filter, status: "running", before_seq: before });
    } while (before !== null);
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
}

/** Whether the indexes do not have everything that the filter compares. */
const needsTexts = (
  { arguments_digest, conversation_id }: LineFilter,
  strands: readonly Strand[],
): boolean =>
  (arguments_digest ?? conversation_id) != null ||
  strands.some(({ name_head }) => name_head !== null);

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
  strand === undefined ? [] : [{ agent_id: strand.agent_id, ending: strand.ending, day, lines }];
