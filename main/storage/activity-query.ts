import type { ActivityRow } from "../../app/bridge/views.ts";
import { STATUSES } from "../../app/contract/codes.ts";
import { DECIDED_BY } from "../../app/contract/decided-by.ts";
import { StoreError } from "./store-error.ts";

export interface ActivityFilter {
  /** Only rows before this one; a page's `next_before_seq`. */
  readonly before_seq?: number | null;
  /** Rows per page, 1 to 500. */
  readonly limit: number;
  readonly agent_id?: string | null;
  readonly status?: ActivityRow["status"] | null;
  /** The beginning of a call id. */
  readonly call_id?: string | null;
}

/** A line as it stands in the tables, not yet judged. */
export interface ActivityLine extends Omit<ActivityRow, "status" | "decided_by"> {
  readonly status: string;
  readonly decided_by: string;
}

const COLUMNS = `l.seq, l.call_id, l.agent_id, l.tool_name, l.scope, l.arguments_digest,
  l.conversation_id, l.reason, l.error_code, l.decided_by, l.timestamp, l.duration_ms,
  ifnull((SELECT name FROM agents n WHERE n.agent_id = l.agent_id), '') AS agent_name`;

/** A call that ran is known by its intent from the beginning, any other by its outcome. */
const ENDED = `SELECT ${COLUMNS}, l.status AS status, ifnull((SELECT a.intent_seq
    FROM answered_calls a WHERE a.agent_id = l.agent_id AND a.call_id = l.call_id
    AND a.outcome_seq = l.seq), l.seq) AS line_id
  FROM audit_log l WHERE l.kind = 'outcome'`;
const RUNNING = `SELECT ${COLUMNS}, 'running' AS status, l.seq AS line_id
  FROM answered_calls a JOIN audit_log l ON l.seq = a.intent_seq WHERE a.state = 'running'`;

/**
 * One line per call: its outcome, or its intent while that is all there is.
 * Parameters by name: before, limit, agent, status, prefix; only those the filter holds are used.
 */
export function activitySql(filter: ActivityFilter): string {
  const where =
    " AND l.seq < @before" +
    (filter.agent_id == null ? "" : " AND l.agent_id = @agent") +
    (filter.call_id == null ? "" : " AND substr(l.call_id, 1, length(@prefix)) = @prefix");
  const ended = ENDED + where + (filter.status == null ? "" : " AND l.status = @status");
  const running = RUNNING + where;
  const lines =
    filter.status == null
      ? `${ended} UNION ALL ${running}`
      : filter.status === "running"
        ? running
        : ended;
  return `${lines} ORDER BY seq DESC LIMIT @limit`;
}

/** The newest lines under one call id: one, unless the id was used again. */
export const ACTIVITY_LINES_SQL = `${ENDED} AND l.agent_id = @agent AND l.call_id = @call
  UNION ALL ${RUNNING} AND l.agent_id = @agent AND l.call_id = @call
  ORDER BY seq DESC LIMIT 20`;

/** @throws StoreError `store_corrupt` when a word is none of the contract's */
export function activityRowOf(line: ActivityLine): ActivityRow {
  const status = [...STATUSES, "running" as const].find((word) => word === line.status);
  const decidedBy = DECIDED_BY.find((word) => word === line.decided_by);
  if (status === undefined || decidedBy === undefined) {
    throw new StoreError("store_corrupt", "audit_log");
  }
  return { ...line, status, decided_by: decidedBy };
}
