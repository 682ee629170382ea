import type { Migration } from "../../../runtime/sqlite/migrations.ts";

/**
 * `calls` is the index of calls that have ended, filled from the log; before, it was several tables of facets and their
 * counts. Each index ends with `seq`, the row's number, and so has its calls in their order.
 */
export const calls: Migration = {
  version: 41,
  sql: `
CREATE TABLE calls (
  -- Number of the outcome.
  seq INTEGER PRIMARY KEY,
  -- Number of the call's first record.
  line_id INTEGER NOT NULL,
  -- UTC, since the epoch.
  day INTEGER NOT NULL,
  agent_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  scope TEXT NOT NULL,
  ending TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  call_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  -- Null: the log has no digest there.
  arguments_digest BLOB
) STRICT;
INSERT INTO calls SELECT o.seq, ifnull(a.intent_seq, o.seq), o.timestamp / 86400000,
  o.agent_id, o.tool_name, o.scope,
  CASE WHEN o.status = 'error' AND o.reason IN ('cancelled', 'interrupted') THEN o.reason
    WHEN o.status = 'ok' AND r.status = 'failed' THEN 'error' ELSE o.status END,
  o.decided_by, o.call_id, o.conversation_id, unhex(o.arguments_digest)
FROM audit_log o
  LEFT JOIN ended_calls a
    ON a.agent_id = o.agent_id AND a.call_id = o.call_id AND a.outcome_seq = o.seq
  LEFT JOIN carried_out c ON c.decided_seq = o.seq
  LEFT JOIN audit_log r ON r.seq = c.report_seq
WHERE o.kind = 'outcome' AND o.seq <= (SELECT ifnull(max(seq), 0) FROM activity_lines) ORDER BY o.seq;
-- For counts: everything that a count may compare, in the order of its groups.
CREATE INDEX calls_day ON calls (day, agent_id, ending, tool_name, scope, decided_by);
CREATE INDEX calls_agent ON calls (agent_id);
CREATE INDEX calls_tool ON calls (tool_name);
CREATE INDEX calls_scope ON calls (scope);
CREATE INDEX calls_ending ON calls (ending);
CREATE INDEX calls_decider ON calls (decided_by);
CREATE INDEX calls_call ON calls (call_id);
CREATE INDEX calls_conversation ON calls (conversation_id);
CREATE INDEX calls_digest ON calls (arguments_digest);
DROP TABLE activity_lines;
DROP TABLE odd_names;
DROP TABLE facet_days;
DROP TABLE facet_hours;
DROP TABLE facets;
`,
};
