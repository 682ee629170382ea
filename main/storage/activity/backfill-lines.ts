import type { Database } from "better-sqlite3";
import type { ActivityLines, LineSource } from "./activity-lines.ts";

interface LateOutcome extends LineSource {
  readonly seq: number;
  readonly line_id: number;
}

/**
 * Call it within a write, at opening: writes the lines that the last session only had in memory. Lines are written in
 * the order of the log, so all that are missing come after the last one.
 */
export function backfillLines(db: Database, lines: ActivityLines): void {
  const outcomes = db.prepare<[], LateOutcome>(
    `SELECT o.seq, o.call_id, o.agent_id, o.tool_name, o.scope, o.arguments_digest, o.decided_by,
       o.status, o.reason, o.timestamp,
       ifnull((SELECT a.intent_seq FROM ended_calls a WHERE a.agent_id = o.agent_id
         AND a.call_id = o.call_id AND a.outcome_seq = o.seq), o.seq) AS line_id
     FROM audit_log o WHERE o.seq > (SELECT ifnull(max(seq), 0) FROM activity_lines)
       AND o.kind = 'outcome' ORDER BY o.seq`,
  );
  for (const outcome of outcomes.all()) lines.add(outcome, outcome.seq, outcome.line_id);
  lines.writeAll();
}
