import type { ToolResponse } from "../../../app/contract/tool-call.ts";
import type { AgentTask, CallAnswer, WaitsFor } from "./call-answer.ts";
import type { ParkedCall } from "./parked-calls.ts";

/** Null: the program ends, and nothing was decided. */
export function answerOf(response: ToolResponse | null): CallAnswer {
  if (response === null) return { kind: "put_off" };
  if (response.status === "ok") return { kind: "ok", result: response.result };
  const { status, reason } = response;
  const violation = status === "error" ? response.violation : undefined;
  const message = status === "denied" ? response.message : undefined;
  return {
    kind: "refused",
    status,
    reason,
    ...(violation === undefined ? {} : { violation }),
    ...(message === undefined ? {} : { message }),
  };
}

export const taskOf = (
  { ticket, response, parked_at, settled_at, kept_ms }: ParkedCall,
  waits_for: WaitsFor,
): AgentTask => ({
  ticket,
  status: statusOf(response),
  waits_for,
  created_at: parked_at,
  updated_at: settled_at,
  ttl_ms: kept_ms,
});

function statusOf(response: ToolResponse | null): AgentTask["status"] {
  if (response === null) return "working";
  if (response.status === "ok") return "ok";
  return response.reason === "cancelled" ? "cancelled" : "refused";
}
