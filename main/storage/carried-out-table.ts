import type { Database, Statement } from "better-sqlite3";
import type { OutcomeRecord } from "../../app/audit/audit-record.ts";
import { type AuditRow, chainedRecordOf } from "./audit-row.ts";

/** A call that was allowed and has no report yet. */
interface Unreported {
  readonly record: OutcomeRecord;
  readonly seq: number;
  readonly lineId: number;
}

/** Leads from a call's outcome to what its agent reported, which carried it out itself. */
export class CarriedOutTable {
  readonly #find: Statement<[string, string], AuditRow & { readonly line_id: number }>;
  /** The outcome's number and the report's. Run it within a write. */
  readonly add: Statement<[number, number]>;

  constructor(db: Database) {
    this.#find = db.prepare(
      `SELECT o.*, ifnull(a.intent_seq, o.seq) AS line_id FROM ended_calls a
         CROSS JOIN audit_log o ON o.seq = a.outcome_seq
       WHERE a.agent_id = ? AND a.call_id = ? AND o.status = 'ok'
         AND NOT EXISTS (SELECT 1 FROM carried_out c WHERE c.decided_seq = o.seq)`,
    );
    this.add = db.prepare("INSERT INTO carried_out VALUES (?, ?)");
  }

  unreported(agentId: string, callId: string): Unreported | null {
    const row = this.#find.get(agentId, callId);
    if (row === undefined) return null;
    const { record, seq } = chainedRecordOf(row);
    return record.kind === "outcome" ? { record, seq, lineId: row.line_id } : null;
  }
}
