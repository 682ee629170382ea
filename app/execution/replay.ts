import { platformError } from "../contract/codes.ts";
import type { ToolCall, ToolResponse } from "../contract/tool-call.ts";
import type { ReadableArrival } from "./arrival.ts";
import type { LiveCalls } from "./live-calls.ts";
import type { CallLedger, PastCall } from "./ports.ts";

/**
 * contract §2.0. The same call again gets the same response again, whether it is still under way
 * or answered before a restart; another call under its id is `other_call`; a new one is undefined.
 */
export function answerAgain(
  ports: { readonly ledger: CallLedger; readonly live: LiveCalls },
  { agent_id, call }: ReadableArrival,
): Promise<ToolResponse | null> | "other_call" | undefined {
  const current = ports.live.find({ agent_id, call_id: call.call_id });
  if (current !== undefined) return isSame(current.call, call) ? current.answer : "other_call";
  const past = ports.ledger.find(agent_id, call.call_id);
  if (past === undefined) return undefined;
  if (!isSame(past, call)) return "other_call";
  const kept = ports.ledger.pastResponse(agent_id, call);
  return Promise.resolve(kept ?? { call_id: call.call_id, ...platformError("result_expired") });
}

const isSame = (past: PastCall, call: ToolCall): boolean =>
  past.arguments_digest === call.arguments_digest && past.tool_name === call.tool_name;
