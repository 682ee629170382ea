import type { Database, Statement } from "better-sqlite3";
import type {
  CarriedOutRecord,
  IntentRecord,
  OutcomeRecord,
} from "../../app/audit/audit-record.ts";
import type { Refusal } from "../../app/contract/codes.ts";
import type { CallsTable } from "./activity/calls-table.ts";
import { endedLine, runningLine, type WrittenLine } from "./activity/line-row.ts";
import type { AuditChain } from "./audit-chain.ts";
import { type AuditRow, chainedRecordOf } from "./audit-row.ts";
import type { CallTargetTable } from "./call-targets.ts";
import type { KnownCalls } from "./known-calls.ts";
import type { SealedResults } from "./sealed-results.ts";

export interface CallLogParts {
  readonly chain: AuditChain;
  readonly calls: KnownCalls;
  readonly results: SealedResults;
  readonly table: CallsTable;
  readonly reports: CarriedOutTable;
  readonly targets: CallTargetTable;
}

/** What is kept beside a call's first record, and covered by no hash. */
export interface Beside {
  /** Digests of what the call is about; null: nothing. */
  readonly subjects: () => Uint8Array | null;
  /** What it is about, sealed; null: it is not kept. */
  readonly target: () => Uint8Array | null;
}

const NOTHING: Beside = { subjects: () => null, target: () => null };

/** What an agent reports of a call. */
export type CarriedOutReport = Omit<CarriedOutRecord, "kind" | "decided_seq">;

/** What a record of a call changes besides the chain. Call both within a write. */
export class CallLog {
  readonly #parts: CallLogParts;

  constructor(parts: CallLogParts) {
    this.#parts = parts;
  }

  /**
   * Throws if the id is taken: one id never runs twice.
   */
  begin(intent: IntentRecord, beside: Beside = NOTHING): WrittenLine {
    const { chain, calls, targets } = this.#parts;
    const { seq, record } = chain.append(intent, beside.subjects);
    calls.begin(record, seq);
    targets.add(seq, beside.target());
    targets.answer(record);
    return runningLine(record, seq);
  }

  /**
   * @param kept null: this call must not replace the one that has its id
   * @param beside asked only for a call without an intent
   */
  end(
    outcome: OutcomeRecord,
    kept: { readonly sealed: Uint8Array | null } | null,
    beside: Beside = NOTHING,
  ): WrittenLine {
    const { chain, calls, results, table, targets } = this.#parts;
    const isFirst = kept === null || calls.intentOf(outcome) === undefined;
    const { seq, record } = chain.append(outcome, () => (isFirst ? beside.subjects() : null));
    if (isFirst) targets.add(seq, beside.target());
    if (kept !== null) targets.answer(record);
    const intentSeq = kept === null ? undefined : calls.end(record, seq);
    const isKept = intentSeq !== undefined;
    if (isKept && kept?.sealed != null) results.add(record.agent_id, seq, kept.sealed);
    table.noteEnded();
    return endedLine(record, seq, intentSeq ?? seq);
  }

  /** Null: no such call was allowed, or it has its report. */
  carriedOut(report: CarriedOutReport): WrittenLine | null {
    const { chain, table, reports } = this.#parts;
    const decided = reports.unreported(report.agent_id, report.call_id);
    if (decided === null) return null;
    const { seq } = chain.append({ ...report, kind: "carried_out", decided_seq: decided.seq });
    reports.add.run(decided.seq, seq);
    const { record, lineId } = decided;
    if (report.status === "failed") table.markFailed(decided.seq);
    return endedLine(record, decided.seq, lineId, report.status);
  }
}

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

/**
 * Call it within a write, at opening: requests that were shown when the program was killed. Nothing of theirs
 * ran, and whoever sends one again is asked about anew.
 */
export function recoverShown(log: CallLog, targets: CallTargetTable, now: number): void {
  for (const { record, target } of targets.takeShown()) {
    const duration_ms = Math.max(0, now - record.timestamp);
    log.end({ ...record, timestamp: now, duration_ms }, null, {
      subjects: () => null,
      target: () => target,
    });
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
