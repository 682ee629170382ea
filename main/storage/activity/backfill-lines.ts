import type { Database } from "better-sqlite3";
import type { GroupCommit } from "../group-commit.ts";
import type { ActivityLines, LineSource } from "./activity-lines.ts";

/** Outcomes read in one transaction; a crash loses no more work than this. */
const BATCH = 20_000;

interface OldOutcome extends LineSource {
  readonly seq: number;
  readonly line_id: number;
}

/**
 * At opening: creates the lines of outcomes that the last session did not write, or an older version. Lines are
 * written in the order of the log, so all that are missing come after the last one.
 */
export function backfillLines(db: Database, group: GroupCommit, lines: ActivityLines): void {
  const last = db.prepare<[], number>("SELECT ifnull(max(seq), 0) FROM activity_lines").pluck();
  const outcomes = db.prepare<[number], OldOutcome>(
    `SELECT o.seq, o.call_id, o.agent_id, o.tool_name, o.scope, o.arguments_digest, o.decided_by,
       o.status, o.reason, o.timestamp,
       ifnull((SELECT a.intent_seq FROM ended_calls a WHERE a.agent_id = o.agent_id
         AND a.call_id = o.call_id AND a.outcome_seq = o.seq), o.seq) AS line_id
     FROM audit_log o WHERE o.seq > ? AND o.kind = 'outcome' ORDER BY o.seq LIMIT ${BATCH}`,
  );
  const step = (): number => {
    const batch = outcomes.all(last.get() ?? 0);
    for (const outcome of batch) lines.add(outcome, outcome.seq, outcome.line_id);
    lines.writeAll();
    return batch.length;
  };
  while (group.runNow(step) > 0) {
    // Each iteration is a separate transaction.
  }
}
