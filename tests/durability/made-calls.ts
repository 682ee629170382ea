import type { IntentRecord, OutcomeRecord } from "../../app/audit/audit-record.ts";
import { canonicalJson, sha256Hex } from "../../app/contract/digest.ts";
import type { ToolCall, ToolResponse } from "../../app/contract/tool-call.ts";

const AGENTS = ["agent-1", "agent-2", "agent-3"] as const;

/** Some results do not fit into one page of the database. */
const RESULT_CHARACTERS = [20, 200, 20, 1_500, 20, 20, 9_000] as const;

/** A call that can be recreated from its id alone, to check what became of it. */
export interface MadeCall {
  readonly call: ToolCall;
  readonly agent_id: string;
  readonly response: ToolResponse;
}

/** @param number of the call, any whole number from 0 */
export function madeCall(call_id: string, number: number): MadeCall {
  const canonical_arguments = canonicalJson({ path: `/home/somebody/${call_id}` });
  const call: ToolCall = {
    call_id,
    tool_name: "read_file",
    arguments: { path: `/home/somebody/${call_id}` },
    canonical_arguments,
    arguments_digest: sha256Hex(canonical_arguments),
    permission_scope: "filesystem:read",
  };
  const size = RESULT_CHARACTERS[number % RESULT_CHARACTERS.length] ?? 0;
  return {
    call,
    agent_id: AGENTS[number % AGENTS.length] ?? AGENTS[0],
    response: { call_id, status: "ok", result: { content: "x".repeat(size) } },
  };
}

const about = ({ call, agent_id }: MadeCall, timestamp: number) => ({
  call_id: call.call_id,
  agent_id,
  tool_name: call.tool_name,
  scope: call.permission_scope,
  arguments_digest: call.arguments_digest,
  conversation_id: "conversation-1",
  transport: "hub",
  decided_by: "person" as const,
  timestamp,
});

export const intentOf = (made: MadeCall, timestamp: number): IntentRecord => ({
  ...about(made, timestamp),
  kind: "intent",
});

export const outcomeOf = (made: MadeCall, timestamp: number): OutcomeRecord => ({
  ...about(made, timestamp),
  kind: "outcome",
  status: "ok",
  reason: null,
  error_code: null,
  duration_ms: 1,
});

/** The only record of a refused call. */
export const refusalOf = (made: MadeCall, timestamp: number): OutcomeRecord => ({
  ...outcomeOf(made, timestamp),
  status: "denied",
  reason: "user_refused",
});
