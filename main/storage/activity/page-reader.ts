import type { Database, Statement } from "better-sqlite3";
import {
  ACTIVITY_STATUSES,
  type ActivityPage,
  type ActivityRow,
} from "../../../app/bridge/views.ts";
import { DECIDED_BY, endingOf } from "../../../app/contract/tool-call.ts";
import { storeError } from "../../../runtime/sqlite/store-error.ts";
import { SubjectReader } from "../subjects/subject-reader.ts";
import {
  type ActivityFilter,
  hasTexts,
  type LineFilter,
  withoutEither,
} from "./activity-filter.ts";
import { CandidateReader, READING_LIMITS, type ReadingLimits } from "./candidates.ts";
import { type Bounds, SeqBounds } from "./seq-bounds.ts";

const PAGE_MAX = 500;
/**
 * Maximum lines read for one page. With hostile names, or a search through millions, a page may be
 * shorter, and its cursor continues from there. So no page takes long, whatever the filter.
 */
const LOOKED_AT_MAX = 2_000;

/** A line as stored, not checked yet. */
interface StoredLine extends Omit<ActivityRow, "status" | "decided_by"> {
  readonly status: string;
  readonly decided_by: string;
}

/**
 * Matching lines, newest first. Matches numbered below `reached` may be missing (null: none is).
 */
interface Found {
  readonly rows: readonly ActivityRow[];
  readonly reached: number | null;
}

const NOTHING: Found = { rows: [], reached: null };

const COLUMNS = `l.seq, l.call_id, l.agent_id, l.tool_name, l.scope, l.arguments_digest,
  l.conversation_id, l.reason, l.error_code, l.decided_by, l.rule_id,
  l.given_at, l.given_on, l.timestamp, l.duration_ms,
  ifnull((SELECT name FROM agents g WHERE g.agent_id = l.agent_id), '') AS agent_name`;
/** Of calls that have ended. */
const CARRIED_OUT_COLUMN = `(SELECT r.status FROM carried_out c
  CROSS JOIN audit_log r ON r.seq = c.report_seq WHERE c.decided_seq = l.seq) AS carried_out`;
const RUNNING = `SELECT ${COLUMNS}, NULL AS carried_out, 'running' AS status, l.seq AS line_id
  FROM running_calls a CROSS JOIN audit_log l ON l.seq = a.intent_seq`;

/** Reads the activity page's lines. Each answer is a consistent snapshot. */
export class PageReader {
  readonly #db: Database;
  readonly #bounds: SeqBounds;
  readonly #candidates: CandidateReader;
  readonly #subjects: SubjectReader;
  readonly #ended: Statement<[string], StoredLine>;
  readonly #running: Statement<[object], StoredLine>;
  readonly #underId: Statement<[object], number>;
  readonly #runningUnderId: Statement<[object], StoredLine>;

  constructor(db: Database, limits: ReadingLimits = READING_LIMITS) {
    this.#db = db;
    this.#bounds = new SeqBounds(db);
    this.#candidates = new CandidateReader(db, limits);
    this.#subjects = new SubjectReader(db);
    this.#ended = db.prepare(
      `SELECT ${COLUMNS}, ${CARRIED_OUT_COLUMN}, l.status, n.line_id FROM json_each(?) wanted
         CROSS JOIN audit_log l ON l.seq = wanted.value
         CROSS JOIN activity_lines n ON n.seq = wanted.value
       ORDER BY l.seq DESC`,
    );
    this.#running = db.prepare(
      `${RUNNING} WHERE a.intent_seq > @above AND a.intent_seq < @below
       ORDER BY a.intent_seq DESC LIMIT ${LOOKED_AT_MAX}`,
    );
    this.#underId = db
      .prepare<[object], number>(
        `SELECT n.seq FROM activity_lines n JOIN facets f USING (facet_id)
         WHERE n.call_id = @call AND f.agent_id = @agent ORDER BY n.seq DESC LIMIT 20`,
      )
      .pluck();
    this.#runningUnderId = db.prepare(`${RUNNING} WHERE a.agent_id = @agent AND a.call_id = @call`);
  }

  /** Newest first. */
  page(filter: ActivityFilter): ActivityPage {
    return this.#db.transaction(() => this.#page(filter))();
  }

  /** The newest 20 lines under one call id, newest first. */
  lines(callId: string, agentId: string): readonly ActivityRow[] {
    const key = { call: callId, agent: agentId };
    return this.#db.transaction(() => {
      const ended = this.#rowsOf(this.#underId.all(key));
      return newestFirst([...this.#runningUnderId.all(key).map(rowOf), ...ended]).slice(0, 20);
    })();
  }

  #page(filter: ActivityFilter): ActivityPage {
    const limit = Math.min(PAGE_MAX, Math.max(1, Math.trunc(filter.limit)));
    const { above, below } = this.#bounds.of(filter);
    const bounds = { above, below: Math.min(below, filter.before_seq ?? below) };
    const ended =
      filter.status === "running" ? NOTHING : this.#endedLines(filter, bounds, limit + 1);
    const running =
      (filter.status ?? "running") === "running" ? this.#runningLines(filter, bounds) : NOTHING;
    return pageOf(ended, running, limit);
  }

  /** Reads one more than asked for, to see whether there is another page. */
  #endedLines(filter: LineFilter, { above, below }: Bounds, wanted: number): Found {
    const rows: ActivityRow[] = [];
    const left = withoutEither(filter);
    let end = below;
    for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX; ) {
      const found = this.#candidates.newest(filter, { above, below: end }, wanted);
      rows.push(...this.#rowsOf(found.seqs).filter((row) => hasTexts(row, left)));
      if (rows.length >= wanted) {
        const full = rows.slice(0, wanted);
        return { rows: full, reached: full.at(-1)?.seq ?? null };
      }
      if (found.reached === null) return { rows, reached: null };
      end = found.reached;
      lookedAt += found.exhausting ? LOOKED_AT_MAX : found.seqs.length;
    }
    return { rows, reached: end };
  }

  #runningLines(filter: LineFilter, bounds: Bounds): Found {
    const lines = this.#running.all(bounds);
    const rows = lines.filter((line) => this.#isWanted(line, filter)).map(rowOf);
    return { rows, reached: lines.length < LOOKED_AT_MAX ? null : (lines.at(-1)?.seq ?? null) };
  }

  /** Of a running call. */
  #isWanted(line: StoredLine, filter: LineFilter): boolean {
    if (!hasTexts(line, withoutEither(filter))) return false;
    const { subject, call_id } = filter;
    if (subject == null) return true;
    const isCalled = call_id != null && line.call_id.startsWith(call_id);
    return isCalled || this.#subjects.isAbout(subject, line.seq);
  }

  #rowsOf(seqs: readonly number[]): readonly ActivityRow[] {
    return seqs.length === 0 ? [] : this.#ended.all(JSON.stringify(seqs)).map(rowOf);
  }
}

function pageOf(ended: Found, running: Found, limit: number): ActivityPage {
  const reached = Math.max(ended.reached ?? 0, running.reached ?? 0);
  const all = newestFirst([...ended.rows, ...running.rows]).filter(({ seq }) => seq >= reached);
  const rows = all.slice(0, limit);
  const next = all.length > limit ? (rows.at(-1)?.seq ?? null) : reached === 0 ? null : reached;
  return { rows, next_before_seq: next };
}

const newestFirst = (rows: readonly ActivityRow[]): readonly ActivityRow[] =>
  rows.toSorted((one, other) => other.seq - one.seq);

/** @throws StoreError `store_corrupt` if a code is not one of the contract's */
function rowOf(line: StoredLine): ActivityRow {
  const status = ACTIVITY_STATUSES.find((word) => word === endingOf(line));
  const decidedBy = DECIDED_BY.find((word) => word === line.decided_by);
  if (status === undefined || decidedBy === undefined) {
    throw storeError("store_corrupt", { details: "audit_log" });
  }
  return { ...line, status, decided_by: decidedBy };
}
