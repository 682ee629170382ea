import type { Database, Statement } from "better-sqlite3";
import { NO_CALLS } from "../../../app/bridge/count-all.ts";
import {
  ACTIVITY_STATUSES,
  type ActivityPage,
  type ActivityRow,
  type SummaryStep,
} from "../../../app/bridge/views.ts";
import { DECIDED_BY, ENDINGS, type Ending } from "../../../app/contract/tool-call.ts";
import { storeError, toStoreError } from "../../../runtime/sqlite/store-error.ts";
import type { ActivityFilter, SummaryFilter } from "./activity-filter.ts";
import {
  type CallPlan,
  CallQuery,
  type CallSource,
  isCountedByDay,
  READING_LIMITS,
} from "./call-query.ts";
import { DAY_MS } from "./calls-table.ts";
import { SeqBounds } from "./seq-bounds.ts";
import { type Verified, type VerifyControls, VerifySteps } from "./verify-steps.ts";

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

const PAGE_MAX = 500;
const NAMESAKES_MAX = 20;

/** A line as stored, not checked yet. */
interface StoredLine extends Omit<ActivityRow, "status" | "decided_by"> {
  readonly status: string;
  readonly decided_by: string;
}

const linesOf = ({ from, where, seq }: CallSource): string =>
  `SELECT l.seq, n.line_id, l.call_id, l.agent_id, l.tool_name, l.scope, l.arguments_digest,
     l.conversation_id, n.ending AS status, l.reason, l.error_code, l.decided_by, l.rule_id,
     l.given_at, l.given_on, l.timestamp, l.duration_ms,
     (SELECT r.status FROM carried_out c CROSS JOIN audit_log r ON r.seq = c.report_seq
      WHERE c.decided_seq = l.seq) AS carried_out,
     ifnull((SELECT name FROM agents g WHERE g.agent_id = l.agent_id), '') AS agent_name
   FROM (SELECT n.seq, n.line_id, n.ending FROM ${from} WHERE ${where}
     ORDER BY ${seq} DESC LIMIT @limit) n CROSS JOIN audit_log l ON l.seq = n.seq`;

/** Reads the activity page's lines. Each answer is a consistent snapshot. */
export class PageReader {
  readonly #db: Database;
  readonly #bounds: SeqBounds;
  readonly #query: CallQuery;
  readonly #namesakes: Statement<[object], StoredLine>;

  constructor(db: Database, limits = READING_LIMITS) {
    this.#db = db;
    this.#bounds = new SeqBounds(db);
    this.#query = new CallQuery(db, limits);
    const where = "n.call_id = @call_id AND n.agent_id = @agent_id";
    this.#namesakes = db.prepare(
      linesOf({ from: "calls n INDEXED BY calls_call", where, seq: "n.seq" }),
    );
  }

  /** Newest first. A page may be short, and its cursor continues from there. */
  page(filter: ActivityFilter): ActivityPage {
    return this.#db.transaction(() => this.#page(filter))();
  }

  /** The newest 20 lines under one call id, newest first. */
  lines(call_id: string, agent_id: string): readonly ActivityRow[] {
    const key = { call_id, agent_id };
    const bounds = this.#bounds.of({});
    return this.#db.transaction(() => {
      const running = this.#all(this.#query.running(key, bounds), NAMESAKES_MAX);
      const ended = this.#namesakes.all({ ...key, limit: NAMESAKES_MAX }).map(rowOf);
      const own = running.filter((row) => row.call_id === call_id);
      return newestFirst([...own, ...ended]).slice(0, NAMESAKES_MAX);
    })();
  }

  #page(filter: ActivityFilter): ActivityPage {
    const limit = Math.min(PAGE_MAX, Math.max(1, Math.trunc(filter.limit)));
    const bounds = this.#bounds.of(filter);
    const { status } = filter;
    const running = { ...filter, status: null };
    const plans = [
      ...(status === "running" ? [] : [this.#query.ended(filter, bounds)]),
      ...((status ?? "running") === "running" ? [this.#query.running(running, bounds)] : []),
    ];
    const reached = Math.max(...plans.map((plan) => plan.reached ?? 0));
    // One more than asked for, to see whether there is another page.
    const found = newestFirst(plans.flatMap((plan) => this.#all(plan, limit + 1)));
    const rows = found.filter(({ seq }) => seq > reached).slice(0, limit);
    if (found.length > rows.length && rows.length === limit) {
      return { rows, next_before_seq: rows.at(-1)?.seq ?? null };
    }
    return { rows, next_before_seq: reached === 0 ? null : reached + 1 };
  }

  #all({ sources, params }: CallPlan, limit: number): readonly ActivityRow[] {
    return sources.flatMap((source) =>
      this.#db
        .prepare<[object], StoredLine>(linesOf(source))
        .all({ ...params, limit })
        .map(rowOf),
    );
  }
}

const newestFirst = (rows: readonly ActivityRow[]): readonly ActivityRow[] =>
  rows.toSorted((one, other) => other.seq - one.seq);

/** @throws StoreError `store_corrupt` if a code is not one of the contract's */
function rowOf(line: StoredLine): ActivityRow {
  const status = ACTIVITY_STATUSES.find((word) => word === line.status);
  const decidedBy = DECIDED_BY.find((word) => word === line.decided_by);
  if (status === undefined || decidedBy === undefined) {
    throw storeError("store_corrupt", { details: "audit_log" });
  }
  return { ...line, status, decided_by: decidedBy };
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** All queries of the log, over a read-only connection. */
export class LogReader {
  readonly #db: Database;
  readonly #pages: PageReader;
  readonly #summaries: SummaryReader;
  readonly #verifying: VerifySteps;

  constructor(db: Database) {
    this.#db = db;
    this.#pages = new PageReader(db);
    this.#summaries = new SummaryReader(db);
    this.#verifying = new VerifySteps(db);
  }

  /** All four throw StoreError. */
  page(filter: ActivityFilter): Promise<ActivityPage> {
    return guarded(async () => this.#pages.page(filter));
  }

  lines(callId: string, agentId: string): Promise<readonly ActivityRow[]> {
    return guarded(async () => this.#pages.lines(callId, agentId));
  }

  summary(filter: SummaryFilter): Promise<SummaryStep> {
    return guarded(async () => this.#summaries.step(filter));
  }

  verify(controls: Omit<VerifyControls, "pause">): Promise<Verified> {
    return guarded(() => this.#verifying.verify({ ...controls, pause }));
  }

  close(): void {
    this.#db.close();
  }
}

async function guarded<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw toStoreError(error);
  }
}
