import type { Database } from "better-sqlite3";
import type { GroupCommit } from "../group-commit.ts";
import type { ActivityLines, LineSource } from "./activity-lines.ts";

/** Outcomes read in one transaction; a crash loses no more work than this. */
const BATCH = 20_000;

interface Wanted {
  readonly after_seq: number;
  readonly through_seq: number;
}

interface OldOutcome extends LineSource {
  readonly seq: number;
  readonly line_id: number;
}

/**
 * At opening: creates the lines of outcomes that an older version wrote. It continues where an earlier
 * run stopped, and does nothing once all are done.
 */
export function backfillLines(db: Database, group: GroupCommit, lines: ActivityLines): void {
  const wanted = db.prepare<[], Wanted>("SELECT after_seq, through_seq FROM lines_wanted");
  if (wanted.get() === undefined) return;
  const outcomes = db.prepare<[number, number], OldOutcome>(
    `SELECT o.seq, o.call_id, o.agent_id, o.tool_name, o.scope, o.arguments_digest, o.decided_by,
       o.status, o.reason, o.timestamp,
       ifnull((SELECT a.intent_seq FROM answered_calls a WHERE a.agent_id = o.agent_id
         AND a.call_id = o.call_id AND a.outcome_seq = o.seq), o.seq) AS line_id
     FROM audit_log o WHERE o.seq > ? AND o.seq <= ? AND o.kind = 'outcome'
     ORDER BY o.seq LIMIT ${BATCH}`,
  );
  const advance = db.prepare<[number]>("UPDATE lines_wanted SET after_seq = ?");
  const finish = db.prepare<[]>("DELETE FROM lines_wanted");
  const step = (): boolean => {
    const left = wanted.get();
    if (left === undefined) return false;
    const batch = outcomes.all(left.after_seq, left.through_seq);
    for (const outcome of batch) lines.add(outcome, outcome.seq, outcome.line_id);
    const last = batch.at(-1);
    if (last === undefined) finish.run();
    else advance.run(last.seq);
    return last !== undefined;
  };
  while (group.runNow(step)) {
    // Each iteration is a separate transaction.
  }
}
