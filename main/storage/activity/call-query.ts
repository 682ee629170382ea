import type { Database } from "better-sqlite3";
import { headOf } from "../subjects/subject-table.ts";
import type { LineFilter } from "./activity-filter.ts";
import type { Bounds } from "./seq-bounds.ts";

/** How much is read for one page, or counted in one step. */
export interface ReadingLimits {
  /** Rows of `calls` that are looked up through an index: some 20 ms. */
  readonly lookedUp: number;
  /** Records over which rows are read one after the other: the same time. */
  readonly scanned: number;
  /** Records that are counted over the index by day, about 30 ms. */
  readonly counted: number;
}
export const READING_LIMITS: ReadingLimits = {
  lookedUp: 30_000,
  scanned: 200_000,
  counted: 400_000,
};

/** Sorts after every text that begins with the same characters; longer than any call ID. */
const AFTER_ALL = "\u{10ffff}".repeat(256);

/** Rows of `calls n`: `SELECT … FROM ${from} WHERE ${where} ORDER BY ${seq}` with `params`. */
export interface CallSource {
  readonly from: string;
  readonly where: string;
  /** The number by which the source is in order; `n.seq` in its words. */
  readonly seq: string;
}

export interface CallPlan {
  /** Disjoint. */
  readonly sources: readonly CallSource[];
  readonly params: Readonly<Record<string, string | number | Buffer>>;
  /** Calls up to this one are not read; null: there are none. */
  readonly reached: number | null;
}

/** What a filter compares, and where the calls that fit this part of it are found. */
interface Condition {
  readonly sql: string;
  readonly from: string;
  /** The same in the words of the source, and the number there. */
  readonly own?: { readonly sql: string; readonly seq: string };
  /** The source has the calls in another order than the log. */
  readonly unordered?: true;
}

/** The index that is read, and the last call that is not; null: the table itself. */
interface Driven {
  readonly driver: Condition | null;
  readonly above: number;
}

const BOUNDS = "n.seq > @above AND n.seq < @below";
const EVERY_CALL = "calls n NOT INDEXED";

const indexed = (index: string, sql: string): Condition => ({
  sql,
  from: `calls n INDEXED BY calls_${index}`,
});

/** The most selective first. */
const EQUAL = [
  ["arguments_digest", indexed("digest", "n.arguments_digest = @arguments_digest")],
  ["conversation_id", indexed("conversation", "n.conversation_id = @conversation_id")],
  ["agent_id", indexed("agent", "n.agent_id = @agent_id")],
  ["tool_name", indexed("tool", "n.tool_name = @tool_name")],
  ["scope", indexed("scope", "n.scope = @scope")],
  ["status", indexed("ending", "n.ending = @status")],
  ["decided_by", indexed("decider", "n.decided_by = @decided_by")],
] as const satisfies readonly (readonly [keyof LineFilter, Condition])[];

const CALL_ID: Condition = {
  ...indexed("call", "n.call_id >= @call_id AND n.call_id < @after"),
  unordered: true,
};
const ABOUT = "SELECT 1 FROM subject_lines WHERE subject_head = @head AND line_seq = n.seq";
const SUBJECT: Condition = {
  sql: `EXISTS (${ABOUT})`,
  from: "subject_lines s CROSS JOIN calls n ON n.seq = s.line_seq",
  own: {
    sql: "s.subject_head = @head AND s.line_seq > @above AND s.line_seq < @below",
    seq: "s.line_seq",
  },
};

/** Calls that still run, with the columns of `calls`. */
const RUNNING = `(SELECT l.seq, l.seq AS line_id, l.agent_id, l.tool_name, l.scope,
    'running' AS ending, l.decided_by, l.call_id, l.conversation_id,
    unhex(l.arguments_digest) AS arguments_digest, l.subjects
  FROM running_calls a CROSS JOIN audit_log l ON l.seq = a.intent_seq) n`;
const RUNS_ABOUT = "instr(n.subjects, @subject) > 0";

/**
 * Chooses where the calls of a filter are read. Every part of it has an index in the order of the log; the one is taken
 * that leads furthest back within a bounded number of rows, and the other parts are compared row by row.
 */
export class CallQuery {
  readonly #db: Database;
  readonly #limits: ReadingLimits;

  constructor(db: Database, limits: ReadingLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** Calls that have ended. Call it in the transaction that reads them. */
  ended(filter: LineFilter, bounds: Bounds): CallPlan {
    const params = paramsOf(filter, bounds);
    const others = equalsOf(filter);
    const chosen = findsOf(filter).map(({ find, unless }) => {
      const all = [...find, ...others];
      const { driver, above } = this.#driverOf(all, params, bounds);
      const where = [...all.map((each) => sqlIn(each, driver)), ...unless];
      return { from: driver?.from ?? EVERY_CALL, where, seq: seqOf(driver), above };
    });
    const above = Math.max(...chosen.map((each) => each.above));
    return {
      sources: chosen.map(({ from, where, seq }) => ({
        from,
        where: [...where, BOUNDS].join(" AND "),
        seq,
      })),
      params: { ...params, above },
      reached: above > bounds.above ? above : null,
    };
  }

  /** The same for a count of what the index by day compares. */
  endedByDay(filter: LineFilter, bounds: Bounds): CallPlan {
    const above = Math.max(bounds.above, this.#newest(bounds) - this.#limits.counted);
    const days = `n.day >= (SELECT day FROM calls WHERE seq > @above ORDER BY seq LIMIT 1)
      AND n.day <= (SELECT day FROM calls WHERE seq < @below ORDER BY seq DESC LIMIT 1)`;
    const where = [days, ...equalsOf(filter).map(({ sql }) => sql), BOUNDS].join(" AND ");
    return {
      sources: [{ from: "calls n INDEXED BY calls_day", where, seq: "n.seq" }],
      params: { ...paramsOf(filter, bounds), above },
      reached: above > bounds.above ? above : null,
    };
  }

  running(filter: LineFilter, bounds: Bounds): CallPlan {
    const finds = [
      ...(filter.subject == null ? [] : [RUNS_ABOUT]),
      ...(filter.call_id == null ? [] : [CALL_ID.sql]),
    ];
    const found = finds.length === 0 ? [] : [`(${finds.join(" OR ")})`];
    const where = [...found, ...equalsOf(filter).map(({ sql }) => sql), BOUNDS].join(" AND ");
    const sources = [{ from: RUNNING, where, seq: "n.seq" }];
    return { sources, params: paramsOf(filter, bounds), reached: null };
  }

  #driverOf(conditions: readonly Condition[], params: CallPlan["params"], bounds: Bounds): Driven {
    const [only] = conditions;
    if (only === undefined) return { driver: null, above: bounds.above };
    if (conditions.length === 1 && only.unordered !== true) {
      return { driver: only, above: bounds.above };
    }
    let best: Driven = { driver: null, above: Number.POSITIVE_INFINITY };
    for (const driver of conditions) {
      const above = this.#reachOf(driver, params);
      if (above < best.above) best = { driver, above };
      if (above <= bounds.above) return { driver, above: bounds.above };
    }
    const scanned = Math.max(bounds.above, this.#newest(bounds) - this.#limits.scanned);
    return scanned < best.above ? { driver: null, above: scanned } : best;
  }

  /** The last call that is not read through this index. */
  #reachOf(driver: Condition, params: CallPlan["params"]): number {
    const order = driver.unordered ? "" : `ORDER BY ${seqOf(driver)} DESC`;
    const sql = `SELECT n.seq FROM ${driver.from} WHERE ${sqlIn(driver, driver)} AND ${BOUNDS} ${order}
      LIMIT 1 OFFSET ${this.#limits.lookedUp}`;
    const seq = this.#db.prepare<[object], number>(sql).pluck().get(params);
    if (seq === undefined) return 0;
    return driver.unordered ? Number.POSITIVE_INFINITY : seq;
  }

  #newest(bounds: Bounds): number {
    const sql = "SELECT seq FROM calls WHERE seq < ? ORDER BY seq DESC LIMIT 1";
    return this.#db.prepare<[number], number>(sql).pluck().get(bounds.below) ?? 0;
  }
}

/** Whether only the index by day is needed to count what the filter selects. */
export const isCountedByDay = (filter: LineFilter): boolean =>
  (filter.subject ?? filter.call_id ?? filter.arguments_digest ?? filter.conversation_id) == null;

const sqlIn = (condition: Condition, driver: Condition | null): string =>
  condition === driver ? (condition.own?.sql ?? condition.sql) : condition.sql;

const seqOf = (driver: Condition | null): string => driver?.own?.seq ?? "n.seq";

const equalsOf = (filter: LineFilter): readonly Condition[] =>
  EQUAL.flatMap(([name, condition]) => (filter[name] == null ? [] : [condition]));

/** Beside a subject, a call that has only the ID is found too. */
function findsOf({ subject, call_id }: LineFilter): readonly {
  readonly find: readonly Condition[];
  readonly unless: readonly string[];
}[] {
  const about = subject == null ? [] : [{ find: [SUBJECT], unless: [] }];
  if (call_id == null) return about.length === 0 ? [{ find: [], unless: [] }] : about;
  return [...about, { find: [CALL_ID], unless: subject == null ? [] : [`NOT ${SUBJECT.sql}`] }];
}

function paramsOf(filter: LineFilter, bounds: Bounds): CallPlan["params"] {
  const { call_id, arguments_digest, subject } = filter;
  const names = ["conversation_id", "agent_id", "tool_name", "scope", "status", "decided_by"];
  const given = Object.entries(filter).filter(
    ([name, value]) => names.includes(name) && value != null,
  );
  const about = subject == null ? null : Buffer.from(subject, "hex");
  return {
    ...bounds,
    ...Object.fromEntries(given),
    ...(call_id == null ? {} : { call_id, after: call_id + AFTER_ALL }),
    ...(arguments_digest == null ? {} : { arguments_digest: Buffer.from(arguments_digest, "hex") }),
    ...(about === null ? {} : { subject: about, head: headOf(about) }),
  };
}
