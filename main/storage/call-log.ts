import type { IntentRecord, OutcomeRecord } from "../../app/audit/audit-record.ts";
import type { ActivityLines } from "./activity/activity-lines.ts";
import { endedLine, runningLine, type WrittenLine } from "./activity/line-row.ts";
import type { AnsweredCalls } from "./answered-calls.ts";
import type { AuditChain } from "./audit-chain.ts";

export interface CallLogParts {
  readonly chain: AuditChain;
  readonly answered: AnsweredCalls;
  readonly lines: ActivityLines;
}

/** What a record of a call changes besides the chain. Call both within a write. */
export class CallLog {
  readonly #parts: CallLogParts;

  constructor(parts: CallLogParts) {
    this.#parts = parts;
  }

  /** Throws if the id is taken: one id never runs twice. */
  begin(intent: IntentRecord): WrittenLine {
    const { seq, record } = this.#parts.chain.append(intent);
    this.#parts.answered.begin(record, seq);
    return runningLine(record, seq);
  }

  /** @param kept null: this call must not replace the one that has its id */
  end(outcome: OutcomeRecord, kept: { readonly sealed: Uint8Array | null } | null): WrittenLine {
    const { chain, answered, lines } = this.#parts;
    const { seq, record } = chain.append(outcome);
    const intentSeq = kept === null ? null : answered.answer(record, seq, kept.sealed);
    const lineId = intentSeq ?? seq;
    lines.add(record, seq, lineId);
    return endedLine(record, seq, lineId);
  }
}
