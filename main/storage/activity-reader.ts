import type { Database, Statement } from "better-sqlite3";
import { type ChainHead, type ChainVerdict, ChainVerifier } from "../../app/audit/verify-chain.ts";
import type { ActivityPage, ActivityRow } from "../../app/bridge/views.ts";
import {
  ACTIVITY_LINES_SQL,
  type ActivityFilter,
  type ActivityLine,
  activityRowOf,
  activitySql,
} from "./activity-query.ts";
import { fastSha256 } from "./audit-chain.ts";
import { type AuditRow, chainedRecordOf } from "./audit-row.ts";

const PAGE_MAX = 500;
/** Records verified between two turns of the event loop: a few milliseconds. */
const VERIFY_STEP = 500;

/** What may be read of the log. Nothing here can write: its connections are read-only. */
export interface ActivityReader {
  /** Newest first. */
  page(filter: ActivityFilter): ActivityPage;
  /** The newest 20 lines under one call id, newest first. */
  lines(callId: string, agentId: string): readonly ActivityRow[];
  /** Reads the whole log as it stands now, in steps that leave the thread free between them. */
  verify(): Promise<ChainVerdict>;
}

export class StoredActivity implements ActivityReader {
  readonly #db: Database;
  readonly #open: () => Database;
  readonly #head: () => ChainHead;
  readonly #lines: Statement<[object], ActivityLine>;
  readonly #pages = new Map<string, Statement<[object], ActivityLine>>();

  /**
   * @param open makes a read-only connection
   * @param head the end of the log as its writer knows it
   */
  constructor(open: () => Database, head: () => ChainHead) {
    this.#open = open;
    this.#head = head;
    this.#db = open();
    this.#lines = this.#db.prepare(ACTIVITY_LINES_SQL);
  }

  page(filter: ActivityFilter): ActivityPage {
    const limit = Math.min(PAGE_MAX, Math.max(1, Math.trunc(filter.limit)));
    const lines = this.#pageStatement(filter).all({
      before: filter.before_seq ?? Number.MAX_SAFE_INTEGER,
      agent: filter.agent_id,
      status: filter.status,
      prefix: filter.call_id,
      // One more than asked for tells whether there is another page.
      limit: limit + 1,
    });
    const rows = lines.slice(0, limit).map(activityRowOf);
    const more = lines.length > limit;
    return { rows, next_before_seq: more ? (rows.at(-1)?.seq ?? null) : null };
  }

  lines(callId: string, agentId: string): readonly ActivityRow[] {
    return this.#lines.all({ call: callId, agent: agentId }).map(activityRowOf);
  }

  async verify(): Promise<ChainVerdict> {
    // A connection and a snapshot of its own: commits and purges go on meanwhile.
    const db = this.#open();
    try {
      db.exec("BEGIN");
      const steps = db.prepare<[number], AuditRow>(
        `SELECT * FROM audit_log WHERE seq > ? ORDER BY seq LIMIT ${VERIFY_STEP}`,
      );
      let rows = steps.all(0);
      // Taken in the same turn as the snapshot's first read: the two belong together.
      const head = this.#head();
      const verifier = new ChainVerifier(fastSha256);
      while (acceptAll(verifier, rows)) {
        await new Promise((resolve) => setImmediate(resolve));
        rows = steps.all(rows.at(-1)?.seq ?? 0);
      }
      return verifier.finish(head);
    } finally {
      db.close();
    }
  }

  close(): void {
    this.#db.close();
  }

  #pageStatement(filter: ActivityFilter): Statement<[object], ActivityLine> {
    const sql = activitySql(filter);
    const known = this.#pages.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare<[object], ActivityLine>(sql);
    this.#pages.set(sql, statement);
    return statement;
  }
}

/** False at the end of the log, and once the verdict stands. */
const acceptAll = (verifier: ChainVerifier, rows: readonly AuditRow[]): boolean =>
  rows.length > 0 && rows.every((row) => verifier.accept(chainedRecordOf(row)));
