import type { Database } from "better-sqlite3";
import type { IntentRecord } from "../../app/audit/audit-record.ts";
import type { Refusal } from "../../app/contract/codes.ts";
import { type AuditRow, chainedRecordOf } from "./audit-row.ts";
import type { CallLog } from "./call-log.ts";

/**
 * Call it within a write, at opening: calls that were running when the program ended get their
 * outcome. Repeating one is answered `interrupted` instead of running it again (contract §2.0).
 *
 * @param intents numbers of their records, in order
 * @param now milliseconds on the trusted clock
 */
export function recoverInterrupted(
  db: Database,
  log: CallLog,
  intents: readonly number[],
  now: number,
): void {
  const read = db.prepare<[number], AuditRow>("SELECT * FROM audit_log WHERE seq = ?");
  for (const row of intents.map((seq) => read.get(seq))) {
    const record = row && chainedRecordOf(row).record;
    if (record?.kind === "intent") log.end(interruptedOutcome(record, now), { sealed: null });
  }
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
