import type { IntentRecord, OutcomeRecord } from "../../app/audit/audit-record.ts";
import { isTableRow, type Refusal } from "../../app/contract/codes.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import type { ToolCall, ToolResponse } from "../../app/contract/tool-call.ts";
import type { AnsweredCall, CallLedger, PastCall } from "../../app/execution/ports.ts";
import { storeError } from "../../runtime/sqlite/store-error.ts";
import type { WrittenLine } from "./activity/line-row.ts";
import type { Beside, CallLog, CarriedOutReport } from "./call-log.ts";
import type { CallTargetTable } from "./call-targets.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { CallEnding, KnownCalls } from "./known-calls.ts";
import { openResult, type SealedResults, sealResult } from "./sealed-results.ts";
import type { SubjectDigests } from "./subjects/subject-digests.ts";

export interface LedgerParts {
  readonly group: GroupCommit;
  readonly log: CallLog;
  readonly calls: KnownCalls;
  readonly results: SealedResults;
  readonly targets: CallTargetTable;
  readonly random: (bytes: number) => Uint8Array;
  /** Milliseconds on the trusted clock. */
  readonly now: () => number;
  readonly isWritable: () => boolean;
  /** Called with each entry once it is durable. */
  readonly wrote: (line: WrittenLine) => void;
}

/** A request that the person is asked about. */
type ShownRequest = Pick<
  OutcomeRecord,
  | "agent_id"
  | "call_id"
  | "tool_name"
  | "scope"
  | "arguments_digest"
  | "conversation_id"
  | "transport"
> & { readonly arguments: JsonObject };

const aboutCall = ({
  agent_id,
  call_id,
  tool_name,
  scope,
  arguments_digest,
  conversation_id,
  transport,
}: ShownRequest) => ({
  agent_id,
  call_id,
  tool_name,
  scope,
  arguments_digest,
  conversation_id,
  transport,
});

/** The log as execution sees it (contract §2.0, §2.7, §2.9). */
export class StoredCallLedger implements CallLedger {
  readonly #parts: LedgerParts;
  /** Undefined until the host key is open; nothing is called before. */
  #subjects: SubjectDigests | undefined;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  /** From now on the log can be searched for what calls are about. */
  keepSubjects(digests: SubjectDigests): void {
    this.#subjects = digests;
  }

  canRecord(): boolean {
    return this.#parts.isWritable();
  }

  find(agentId: string, callId: string): PastCall | undefined {
    const found = this.#parts.calls.find(agentId, callId);
    if (found === undefined) return undefined;
    return { tool_name: found.tool_name, arguments_digest: found.arguments_digest };
  }

  /** @throws StoreError `store_corrupt` if the log's row is not a valid answer (contract §1) */
  pastResponse(agentId: string, call: ToolCall): ToolResponse | undefined {
    const { calls, results } = this.#parts;
    const found = calls.find(agentId, call.call_id);
    if (found?.arguments_digest !== call.arguments_digest) return undefined;
    const { outcome_seq } = found;
    const ending = outcome_seq === null ? undefined : calls.endingOf(outcome_seq);
    if (outcome_seq === null || ending === undefined || ending.status === null) return undefined;
    if (ending.status !== "ok") return { call_id: call.call_id, ...refusalOf(ending) };
    const sealed = results.find(agentId, outcome_seq);
    if (sealed === undefined) return undefined;
    const result = openResult(sealed, sealedFor(agentId, call));
    return result === undefined ? undefined : { call_id: call.call_id, status: "ok", result };
  }

  /** @throws StoreError `store_refused` if the agent has used the id before */
  async recordIntent(intent: IntentRecord, args: JsonObject = {}): Promise<void> {
    const { group, log, wrote } = this.#parts;
    wrote(await group.enqueue(() => log.begin(intent, this.#beside(intent, args))));
  }

  async recordOutcome(
    outcome: OutcomeRecord,
    answered?: AnsweredCall,
    args: JsonObject = {},
  ): Promise<void> {
    const { group, log, wrote } = this.#parts;
    const kept = answered === undefined ? null : { sealed: this.#seal(outcome, answered) };
    wrote(await group.enqueue(() => log.end(outcome, kept, this.#beside(outcome, args))));
  }

  /**
   * What an agent says became of a call that it carried out itself. Durable when it resolves; what
   * belongs to no allowed call, or to one with a report, is dropped.
   */
  async recordCarriedOut(report: CarriedOutReport): Promise<void> {
    const { group, log, wrote } = this.#parts;
    const line = await group.enqueue(() => log.carriedOut(report));
    if (line !== null) wrote(line);
  }

  /** The person is asked. Never rejects: the request is shown all the same. */
  async recordShown(request: ShownRequest): Promise<void> {
    const { group, targets, now } = this.#parts;
    const record = { ...aboutCall(request), ...SHOWN, timestamp: now() };
    await group.enqueue(() => targets.show(record, request.arguments)).catch(() => undefined);
  }

  #beside(record: IntentRecord | OutcomeRecord, args: JsonObject): Beside {
    return {
      subjects: () => this.#subjects?.ofCall(args) ?? null,
      target: () => this.#parts.targets.sealed(record, args),
    };
  }

  /** Refusals are rebuilt from the log's columns; only results are encrypted and stored. */
  #seal(
    { agent_id }: OutcomeRecord,
    { call, response, isOnlyDelivery }: AnsweredCall,
  ): Uint8Array | null {
    if (response.status !== "ok" || isOnlyDelivery) return null;
    return sealResult(response.result, sealedFor(agent_id, call), this.#parts.random);
  }
}

/** The outcome of a request that was shown when the program was killed. */
const SHOWN = {
  kind: "outcome",
  decided_by: "contract",
  status: "error",
  reason: "interrupted",
  error_code: "TOOL_PLATFORM_ERROR",
  duration_ms: 0,
} as const;

const sealedFor = (agentId: string, call: ToolCall) => ({
  agentId,
  callId: call.call_id,
  canonicalArguments: call.canonical_arguments,
});

function refusalOf({ status, reason, error_code }: CallEnding): Refusal {
  if (!isTableRow(status ?? "", reason ?? undefined, error_code ?? undefined)) {
    throw storeError("store_corrupt", { details: "audit_log" });
  }
  const words = status === "denied" ? { status, reason } : { status, error_code, reason };
  // `isTableRow` has checked that these three codes are a row of the table.
  return words as Refusal;
}
