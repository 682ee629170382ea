import type { IntentRecord, OutcomeRecord } from "../../app/audit/audit-record.ts";
import { isTableRow, type Refusal } from "../../app/contract/codes.ts";
import type { ToolCall, ToolResponse } from "../../app/contract/tool-call.ts";
import type { CallLedger, PastCall } from "../../app/execution/ports.ts";
import type { AnsweredCall, AnsweredCalls } from "./answered-calls.ts";
import type { AuditChain } from "./audit-chain.ts";
import type { GroupCommit } from "./group-commit.ts";
import { openResult, sealResult } from "./seal-response.ts";
import { StoreError } from "./store-error.ts";

/** The log as execution sees it (contract §2.0, §2.7, §2.9). */
export class StoredCallLedger implements CallLedger {
  readonly #group: GroupCommit;
  readonly #chain: AuditChain;
  readonly #answered: AnsweredCalls;
  readonly #random: (bytes: number) => Uint8Array;
  /** Intents on their way to the disk: their ids are already taken. */
  readonly #underWay = new Map<string, PastCall>();

  constructor(
    group: GroupCommit,
    chain: AuditChain,
    answered: AnsweredCalls,
    random: (bytes: number) => Uint8Array,
  ) {
    this.#group = group;
    this.#chain = chain;
    this.#answered = answered;
    this.#random = random;
  }

  find(agentId: string, callId: string): PastCall | undefined {
    const underWay = this.#underWay.get(keyOf(agentId, callId));
    if (underWay !== undefined) return underWay;
    const found = this.#answered.find(agentId, callId);
    if (found === undefined) return undefined;
    return { tool_name: found.tool_name, arguments_digest: found.arguments_digest };
  }

  /** @throws StoreError `store_corrupt` when the log's row is no answer of contract §1 */
  pastResponse(agentId: string, call: ToolCall): ToolResponse | undefined {
    const found = this.#answered.find(agentId, call.call_id);
    if (found?.arguments_digest !== call.arguments_digest) return undefined;
    if (found.state === "running" || found.status === null) return undefined;
    if (found.status !== "ok") return { call_id: call.call_id, ...refusalOf(found) };
    if (found.sealed_response === null) return undefined;
    const result = openResult(found.sealed_response, sealedFor(agentId, call));
    return result === undefined ? undefined : { call_id: call.call_id, status: "ok", result };
  }

  /** @throws StoreError `store_refused` when the agent has used the id before */
  async recordIntent(intent: IntentRecord): Promise<void> {
    const { agent_id, call_id, tool_name, arguments_digest } = intent;
    const key = keyOf(agent_id, call_id);
    if (this.#underWay.has(key)) throw new StoreError("store_refused", "answered_calls");
    this.#underWay.set(key, { tool_name, arguments_digest });
    try {
      await this.#group.enqueue(() => {
        this.#answered.begin(intent, this.#chain.append(intent).seq);
      });
    } finally {
      this.#underWay.delete(key);
    }
  }

  async recordOutcome(
    outcome: OutcomeRecord,
    answered?: { readonly call: ToolCall; readonly response: ToolResponse },
  ): Promise<void> {
    // Refusals are rebuilt from the log's own columns; only a result is worth sealing.
    const sealed =
      answered?.response.status === "ok"
        ? sealResult(
            answered.response.result,
            sealedFor(outcome.agent_id, answered.call),
            this.#random,
          )
        : null;
    await this.#group.enqueue(() => {
      const { seq } = this.#chain.append(outcome);
      if (answered !== undefined) this.#answered.answer(outcome, seq, sealed);
    });
  }
}

const keyOf = (agentId: string, callId: string): string => `${agentId}\u0000${callId}`;

const sealedFor = (agentId: string, call: ToolCall) => ({
  agentId,
  callId: call.call_id,
  canonicalArguments: call.canonical_arguments,
});

function refusalOf({ status, reason, error_code }: AnsweredCall): Refusal {
  if (!isTableRow(status ?? "", reason ?? undefined, error_code ?? undefined)) {
    throw new StoreError("store_corrupt", "audit_log");
  }
  const words = status === "denied" ? { status, reason } : { status, error_code, reason };
  // `isTableRow` has just said that these three words are a row of the table.
  return words as Refusal;
}
