import type {
  CarriedOutRecord,
  IntentRecord,
  OutcomeRecord,
} from "../../app/audit/audit-record.ts";
import type { ActivityLines } from "./activity/activity-lines.ts";
import { endedLine, runningLine, type WrittenLine } from "./activity/line-row.ts";
import type { AuditChain } from "./audit-chain.ts";
import type { CarriedOutTable } from "./carried-out-table.ts";
import type { KnownCalls } from "./known-calls.ts";
import type { SealedResults } from "./sealed-results.ts";

export interface CallLogParts {
  readonly chain: AuditChain;
  readonly calls: KnownCalls;
  readonly results: SealedResults;
  readonly lines: ActivityLines;
  readonly reports: CarriedOutTable;
}

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
   * @param subjects digests of what the call is about; null: nothing
   */
  begin(intent: IntentRecord, subjects: () => Uint8Array | null): WrittenLine {
    const { seq, record } = this.#parts.chain.append(intent, subjects);
    this.#parts.calls.begin(record, seq);
    return runningLine(record, seq);
  }

  /**
   * @param kept null: this call must not replace the one that has its id
   * @param subjects asked only for a call without an intent, beside which they are
   */
  end(
    outcome: OutcomeRecord,
    kept: { readonly sealed: Uint8Array | null } | null,
    subjects: () => Uint8Array | null = () => null,
  ): WrittenLine {
    const { chain, calls, results, lines } = this.#parts;
    const about = (record: OutcomeRecord) =>
      kept !== null && calls.intentOf(record) !== undefined ? null : subjects();
    const { seq, record } = chain.append(outcome, about);
    const intentSeq = kept === null ? undefined : calls.end(record, seq);
    const isKept = intentSeq !== undefined;
    if (isKept && kept?.sealed != null) results.add(record.agent_id, seq, kept.sealed);
    const lineId = intentSeq ?? seq;
    lines.add(record, seq, lineId);
    return endedLine(record, seq, lineId);
  }

  /** Null: no such call was allowed, or it has its report. */
  carriedOut(report: CarriedOutReport): WrittenLine | null {
    const { chain, lines, reports } = this.#parts;
    const decided = reports.unreported(report.agent_id, report.call_id);
    if (decided === null) return null;
    const { seq } = chain.append({ ...report, kind: "carried_out", decided_seq: decided.seq });
    reports.add.run(decided.seq, seq);
    const { record, lineId } = decided;
    if (report.status === "failed") lines.markFailed(record, decided.seq, lineId);
    return endedLine(record, decided.seq, lineId, report.status);
  }
}
