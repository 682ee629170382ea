import type { AuditRecord, ChainedRecord, OutcomeRecord } from "../audit-record.ts";
import { chainRecord, GENESIS_HASH } from "../hash-chain.ts";

/** The outcome of a call, with a unique id and time. */
export const sampleOutcome = (call: number): OutcomeRecord => ({
  kind: "outcome",
  call_id: `call-${call}`,
  agent_id: "agent-1",
  tool_name: "read_file",
  scope: "filesystem:read",
  arguments_digest: "a".repeat(64),
  conversation_id: "conversation-1",
  transport: "hub",
  decided_by: "person",
  timestamp: 1_000 + call,
  status: "ok",
  reason: null,
  error_code: null,
  duration_ms: 5,
});

function chainOf(records: readonly AuditRecord[]): readonly ChainedRecord[] {
  let head = { seq: 0, hash: GENESIS_HASH };
  return records.map((record) => {
    const chained = chainRecord(head.seq + 1, head.hash, record);
    head = chained;
    return chained;
  });
}

export const sampleChain = (length: number): readonly ChainedRecord[] =>
  chainOf(Array.from({ length }, (_, index) => sampleOutcome(index + 1)));
