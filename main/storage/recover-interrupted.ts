import type { Database } from "better-sqlite3";
import type { IntentRecord } from "../../app/audit/audit-record.ts";
import type { Refusal } from "../../app/contract/codes.ts";
import { type AuditRow, chainedRecordOf } from "./audit-row.ts";
import type { CallLog } from "./call-log.ts";

/**
 * Call it within a write, at opening: calls that were running when the program ended get their
 * outcome. Repeating one is answered `interrupted` instead of running it again (contract §2.0).
 *
 * @param now milliseconds on the trusted clock
 * @returns how many calls there were
 */
export function recoverInterrupted(db: Database, log: CallLog, now: number): number {
  const rows = db
    .prepare<[], AuditRow>(
      `SELECT l.* FROM running_calls a JOIN audit_log l ON l.seq = a.intent_seq
       ORDER BY a.intent_seq`,
    )
    .all();
  for (const row of rows) {
    const { record } = chainedRecordOf(row);
    if (record.kind !== "intent") continue;
    log.end(interruptedOutcome(record, now), { sealed: null });
  }
  return rows.length;
}

const interruptedOutcome = (intent: IntentRecord, now: number) => ({
  ...intent,
  ...INTERRUPTED,
  kind: "outcome" as const,
  timestamp: now,
  duration_ms: Math.max(0, now - intent.timestamp),
});

const INTERRUPTED = {
  status: "error",
  error_code: "TOOL_PLATFORM_ERROR",
  reason: "interrupted",
} as const satisfies Refusal;
