import type { Database, Statement } from "better-sqlite3";
import { NO_CALLS } from "../../../app/bridge/count-all.ts";
import type { SummaryStep } from "../../../app/bridge/views.ts";
import { ENDINGS, type Ending } from "../../../app/contract/tool-call.ts";
import type { SummaryFilter } from "./activity-filter.ts";
import { type CallPlan, CallQuery, isCountedByDay, READING_LIMITS } from "./call-query.ts";
import { DAY_MS } from "./calls-table.ts";
import { SeqBounds } from "./seq-bounds.ts";

/** The number of an agent's calls that ended in one way on one day. */
interface Group {
  readonly agent_id: string;
  readonly ending: Ending;
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly calls: number;
}

type Counts = Record<Ending, number>;

/** The numbers in the charts: how many calls ended in which way, by day and by agent. */
export class SummaryReader {
  readonly #db: Database;
  readonly #bounds: SeqBounds;
  readonly #query: CallQuery;
  readonly #name: Statement<[string], string>;

  constructor(db: Database, limits = READING_LIMITS) {
    this.#db = db;
    this.#bounds = new SeqBounds(db);
    this.#query = new CallQuery(db, limits);
    this.#name = db.prepare<[string], string>("SELECT name FROM agents WHERE agent_id = ?").pluck();
  }

  /**
   * Counts a part of what the filter selects, in some milliseconds; running calls are counted in
   * `total` only. What is written between two steps may or may not be counted.
   */
  step(filter: SummaryFilter): SummaryStep {
    return this.#db.transaction(() => this.#step(filter))();
  }

  #step(filter: SummaryFilter): SummaryStep {
    const bounds = this.#bounds.of(filter);
    const { status, before_seq } = filter;
    const counted = isCountedByDay(filter) ? "endedByDay" : "ended";
    const ended = status === "running" ? null : this.#query[counted](filter, bounds);
    const isFirst = before_seq == null && (status ?? "running") === "running";
    const running = isFirst ? this.#query.running({ ...filter, status: null }, bounds) : null;
    const groups = ended === null ? [] : this.#groups(ended);
    const days = new Map<number, Counts>();
    const agents = new Map<string, Counts>();
    let total = running === null ? 0 : this.#count(running);
    for (const { agent_id, ending, day, calls } of groups) {
      total += calls;
      if (!ENDINGS.includes(ending)) continue;
      countsOf(days, day)[ending] += calls;
      countsOf(agents, agent_id)[ending] += calls;
    }
    return {
      total,
      days: [...days].map(([day, counts]) => ({ day: day * DAY_MS, ...counts })),
      agents: [...agents].map(([agent_id, counts]) => ({
        agent_id,
        agent_name: this.#name.get(agent_id) ?? "",
        ...counts,
      })),
      next_before_seq: ended?.reached == null ? null : ended.reached + 1,
    };
  }

  #groups({ sources, params }: CallPlan): readonly Group[] {
    return sources.flatMap(({ from, where }) =>
      this.#db
        .prepare<[object], Group>(
          `SELECT n.day, n.agent_id, n.ending, count(*) AS calls FROM ${from} WHERE ${where}
           GROUP BY n.day, n.agent_id, n.ending`,
        )
        .all(params),
    );
  }

  #count({ sources, params }: CallPlan): number {
    const counts = sources.map(({ from, where }) =>
      this.#db
        .prepare<[object], number>(`SELECT count(*) FROM ${from} WHERE ${where}`)
        .pluck()
        .get(params),
    );
    return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  }
}

function countsOf<K>(counted: Map<K, Counts>, key: K): Counts {
  const known = counted.get(key) ?? { ...NO_CALLS };
  counted.set(key, known);
  return known;
}
