import type { Database, Statement } from "better-sqlite3";
import { SubjectReader } from "../subjects/subject-reader.ts";
import type { LineFilter } from "./activity-filter.ts";
import { DAY_MS } from "./activity-lines.ts";
import { digestHead } from "./facet.ts";
import { FacetChoice, type Strand, wantsEveryFacet } from "./facet-choice.ts";
import type { Bounds } from "./seq-bounds.ts";
import { StrandReader } from "./strand-reader.ts";

/** How much may be read for one page, or counted in one step. */
export interface ReadingLimits {
  /** An index entry with up to this many lines is collected and sorted for each page. */
  readonly collected: number;
  /** The same for facets, whose lines are adjacent: about a hundred pages of the index. */
  readonly ofFacets: number;
  /** Otherwise, this many records are scanned for a page, newest first. */
  readonly window: number;
  /** Of what calls are about: beside other filters, this many lines are looked through for a page. */
  readonly ofSubject: number;
  /** Lines of few facets that are compared with a subject's at once. */
  readonly compared: number;
  /** Lines counted in a step: about ten milliseconds. */
  readonly counted: number;
}
export const READING_LIMITS: ReadingLimits = {
  collected: 5_000,
  ofFacets: 12_000,
  window: 30_000,
  ofSubject: 10_000,
  compared: 500,
  counted: 5_000,
};

/** With many strands, this many lines are tried first, because most of them often match. */
const GLANCE = 500;
const MANY_STRANDS = 8;
/**
 * Longer than any call id: everything with a given prefix sorts before that prefix followed by
 * this.
 */
const AFTER_ALL = "\u{10ffff}".repeat(256);

/** Numbers of lines that may match a filter; their texts must still be compared. */
export interface Candidates {
  /** Newest first. */
  readonly seqs: readonly number[];
  /** Matches with lower numbers may be missing; null: none is. */
  readonly reached: number | null;
  /** Whether a whole window was scanned for it. */
  readonly exhausting: boolean;
}

const NONE: Candidates = { seqs: [], reached: null, exhausting: false };

type Needle = { readonly sql: string; readonly index: string };
const CALL: Needle = {
  sql: "call_id >= @prefix AND call_id < @after",
  index: "activity_lines_call",
};
const DIGEST: Needle = { sql: "digest_head = @digest", index: "activity_lines_digest" };

/** Chooses the fastest way to find a filter's lines, and finds them (decision 15). */
export class CandidateReader {
  readonly #db: Database;
  readonly #limits: ReadingLimits;
  readonly #facets: FacetChoice;
  readonly #strands: StrandReader;
  readonly #subjects: SubjectReader;
  readonly #statements = new Map<string, Statement<[object], number>>();

  constructor(db: Database, limits: ReadingLimits) {
    this.#db = db;
    this.#limits = limits;
    this.#facets = new FacetChoice(db);
    this.#strands = new StrandReader(db);
    this.#subjects = new SubjectReader(db);
  }

  newest(filter: LineFilter, bounds: Bounds, limit: number): Candidates {
    const { subject, ...others } = filter;
    if (subject == null) return this.#byTexts(others, bounds, limit);
    const about = this.#about(subject, others, bounds, limit);
    if (others.call_id == null) return about;
    return either(about, this.#byTexts(others, bounds, limit), limit);
  }

  /** Of the subject's lines and those of the facets, the fewer are looked through. */
  #about(subject: string, filter: LineFilter, bounds: Bounds, limit: number): Candidates {
    if (wantsEveryFacet(filter)) {
      return complete(this.#subjects.newest(subject, bounds, limit), limit);
    }
    const strands = this.#facets.strandsOf(filter);
    if (strands.length === 0) return NONE;
    const last = this.#subjects.lastOf(subject, bounds, this.#limits.ofSubject);
    if (last > 0 && this.#areFew(strands, filter)) {
      return this.#aboutOf(subject, strands, bounds, limit);
    }
    const above = Math.max(bounds.above, last);
    const within = { above, below: bounds.below };
    const seqs = this.#subjects.newest(subject, within, limit, idsOf(strands));
    if (seqs.length === limit || above === bounds.above) return complete(seqs, limit);
    return { seqs, reached: above + 1, exhausting: true };
  }

  /** Looks through the strands' newest lines until there are enough. */
  #aboutOf(
    subject: string,
    strands: readonly Strand[],
    { above, below }: Bounds,
    limit: number,
  ): Candidates {
    const { compared } = this.#limits;
    const seqs: number[] = [];
    for (let end = below; ; ) {
      const looked = this.#strands.newest(strands, { above, below: end }, compared);
      seqs.push(...this.#subjects.among(subject, looked));
      if (seqs.length >= limit) return complete(seqs.slice(0, limit), limit);
      if (looked.length < compared) return complete(seqs, limit);
      end = looked.at(-1) ?? above;
    }
  }

  #byTexts(filter: LineFilter, bounds: Bounds, limit: number): Candidates {
    const strands = wantsEveryFacet(filter) ? null : this.#facets.strandsOf(filter);
    if (strands?.length === 0) return NONE;
    const needles = needlesOf(filter);
    if (needles.length > 0) return this.#search(filter, needles, strands, bounds, limit);
    const seqs =
      strands === null
        ? this.#all("SELECT seq FROM activity_lines WHERE TRUE", {}, bounds, limit)
        : (this.#glance(strands, bounds, limit) ?? this.#strands.newest(strands, bounds, limit));
    return complete(seqs, limit);
  }

  /** Undefined if the newest lines alone do not fill a page. */
  #glance(strands: readonly Strand[], bounds: Bounds, limit: number) {
    const isWhole = strands.every(({ name_head }) => name_head === null);
    if (!isWhole || strands.length < MANY_STRANDS) return undefined;
    const found = this.#statement(
      `SELECT seq FROM (SELECT seq, facet_id FROM activity_lines NOT INDEXED
           WHERE seq > @above AND seq < @below ORDER BY seq DESC LIMIT ${GLANCE})
         WHERE facet_id IN (SELECT value FROM json_each(@facets)) ORDER BY seq DESC LIMIT @limit`,
    ).all({ ...bounds, facets: idsOf(strands), limit });
    return found.length === limit ? found : undefined;
  }

  #search(
    filter: LineFilter,
    needles: readonly Needle[],
    strands: readonly Strand[] | null,
    bounds: Bounds,
    limit: number,
  ): Candidates {
    const values = valuesOf(filter, strands);
    const inFacets =
      strands === null ? "" : " AND facet_id IN (SELECT value FROM json_each(@facets))";
    const both = needles.map(({ sql }) => sql).join(" AND ");
    const index = this.#indexFor(filter, needles, strands, values);
    if (index !== undefined) {
      const sql = `SELECT seq FROM activity_lines INDEXED BY ${index} WHERE ${both}${inFacets}`;
      return complete(this.#all(sql, values, bounds, limit), limit);
    }
    const above = this.#windowEnd(bounds);
    const sql = `SELECT seq FROM activity_lines NOT INDEXED WHERE ${both}${inFacets}`;
    const within = { above: Math.max(bounds.above, above - 1), below: bounds.below };
    const seqs = this.#all(sql, values, within, limit);
    if (seqs.length === limit || above <= bounds.above) return complete(seqs, limit);
    return { seqs, reached: above, exhausting: true };
  }

  /**
   * The first index that leaves few lines; undefined if none does. The index by digest also
   * contains the other columns of a search, and that by facet the call ids, so no line itself has
   * to be read.
   */
  #indexFor(
    filter: LineFilter,
    needles: readonly Needle[],
    strands: readonly Strand[] | null,
    values: object,
  ): string | undefined {
    if (needles.includes(DIGEST) && this.#isFew(DIGEST, values)) return DIGEST.index;
    if (strands !== null && this.#areFew(strands, filter)) return "activity_lines_facet";
    if (needles.includes(CALL) && this.#isFew(CALL, values)) return CALL.index;
    return undefined;
  }

  #isFew(needle: Needle, values: object): boolean {
    const count = this.#statement(
      `SELECT count(*) FROM (SELECT 1 FROM activity_lines INDEXED BY ${needle.index}
         WHERE ${needle.sql} LIMIT ${this.#limits.collected + 1})`,
    ).get(values);
    return (count ?? 0) <= this.#limits.collected;
  }

  /** Within the days that the filter covers. */
  #areFew(strands: readonly Strand[], { from, to }: LineFilter): boolean {
    const count = this.#statement(
      `SELECT total(lines) FROM facet_days
       WHERE facet_id IN (SELECT value FROM json_each(@facets)) AND day >= @first AND day <= @last`,
    ).get({
      facets: idsOf(strands),
      first: Math.floor((from ?? 0) / DAY_MS),
      last: Math.floor((to ?? Number.MAX_SAFE_INTEGER) / DAY_MS),
    });
    return (count ?? 0) <= this.#limits.ofFacets;
  }

  /** Where the window ends; 0 if there is nothing to scan. */
  #windowEnd(bounds: Bounds): number {
    const newest = this.#statement(
      `SELECT seq FROM activity_lines WHERE seq > @above AND seq < @below
       ORDER BY seq DESC LIMIT 1`,
    ).get(bounds);
    return newest === undefined ? 0 : Math.max(0, newest - this.#limits.window);
  }

  #all(sql: string, values: object, bounds: Bounds, limit: number): readonly number[] {
    return this.#statement(
      `${sql} AND seq > @above AND seq < @below ORDER BY seq DESC LIMIT @limit`,
    ).all({ ...values, ...bounds, limit });
  }

  #statement(sql: string): Statement<[object], number> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#db.prepare<[object], number>(sql).pluck();
    this.#statements.set(sql, made);
    return made;
  }
}

const complete = (seqs: readonly number[], limit: number): Candidates => ({
  seqs,
  reached: seqs.length < limit ? null : (seqs.at(-1) ?? null),
  exhausting: false,
});

/** What is in one of the two; below what both have reached, nothing is certain. */
function either(one: Candidates, other: Candidates, limit: number): Candidates {
  const reached = Math.max(one.reached ?? 0, other.reached ?? 0);
  const all = [...new Set([...one.seqs, ...other.seqs])]
    .filter((seq) => seq >= reached)
    .sort((a, b) => b - a);
  const seqs = all.slice(0, limit);
  const exhausting = one.exhausting || other.exhausting;
  if (all.length > limit) return { seqs, reached: seqs.at(-1) ?? null, exhausting };
  return { seqs, reached: reached === 0 ? null : reached, exhausting };
}

const needlesOf = ({ call_id, arguments_digest }: LineFilter): readonly Needle[] => [
  ...(arguments_digest == null ? [] : [DIGEST]),
  ...(call_id == null || call_id === "" ? [] : [CALL]),
];

const valuesOf = (
  { call_id, arguments_digest }: LineFilter,
  strands: readonly Strand[] | null,
) => ({
  ...(call_id == null ? {} : { prefix: call_id, after: call_id + AFTER_ALL }),
  ...(arguments_digest == null ? {} : { digest: digestHead(arguments_digest) }),
  ...(strands === null ? {} : { facets: idsOf(strands) }),
});

const idsOf = (strands: readonly Strand[]): string =>
  JSON.stringify(strands.map(({ facet_id }) => facet_id));
