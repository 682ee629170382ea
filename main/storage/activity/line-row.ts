import type { IntentRecord, OutcomeRecord } from "../../../app/audit/audit-record.ts";
import type { ActivityRow } from "../../../app/bridge/views.ts";
import { type CarriedOut, endingOf } from "../../../app/contract/tool-call.ts";

/** A line as written; the log does not contain the agent's name. */
export type WrittenLine = Omit<ActivityRow, "agent_name">;

const aboutCall = (record: IntentRecord | OutcomeRecord) => ({
  call_id: record.call_id,
  agent_id: record.agent_id,
  tool_name: record.tool_name,
  scope: record.scope,
  arguments_digest: record.arguments_digest,
  conversation_id: record.conversation_id,
  decided_by: record.decided_by,
  rule_id: record.rule_id ?? null,
  given_at: record.given_at ?? null,
  given_on: record.given_on ?? null,
  timestamp: record.timestamp,
});

/** The line of a call that has started to run. */
export const runningLine = (intent: IntentRecord, seq: number): WrittenLine => ({
  ...aboutCall(intent),
  line_id: seq,
  seq,
  status: "running",
  reason: null,
  error_code: null,
  duration_ms: null,
  carried_out: null,
});

/** @param lineId number of the call's first record */
export const endedLine = (
  outcome: OutcomeRecord,
  seq: number,
  lineId: number,
  carried_out: CarriedOut | null = null,
): WrittenLine => ({
  ...aboutCall(outcome),
  line_id: lineId,
  seq,
  status: endingOf({ ...outcome, carried_out }),
  reason: outcome.reason,
  error_code: outcome.error_code,
  duration_ms: outcome.duration_ms,
  carried_out,
});
