import { platformError } from "../contract/codes.ts";
import type { DecidedBy } from "../contract/decided-by.ts";
import type { MalformedCall, ToolResponse } from "../contract/tool-call.ts";
import type { Arrival, ReadableArrival } from "./arrival.ts";
import type { LiveCalls } from "./live-calls.ts";
import type { CallLedger, TrustedClock } from "./ports.ts";
import type { ToolOutcome } from "./run-tool.ts";

interface ClosePorts {
  readonly ledger: CallLedger;
  readonly clock: TrustedClock;
  readonly live: LiveCalls;
}

/** What every record says about a call. */
export const aboutCall = (arrival: ReadableArrival, decidedBy: DecidedBy, now: number) => ({
  call_id: arrival.call.call_id,
  agent_id: arrival.agent_id,
  tool_name: arrival.call.tool_name,
  scope: arrival.call.permission_scope,
  arguments_digest: arrival.call.arguments_digest,
  conversation_id: arrival.conversation_id,
  transport: arrival.transport,
  decided_by: decidedBy,
  timestamp: now,
});

/**
 * contract §2.9: the outcome is durable, then the response goes out. A response that could not be
 * recorded is withheld. `kept: false` leaves the earlier call of the same id the one that counts.
 */
export async function closeCall(
  { ledger, clock, live }: ClosePorts,
  arrival: ReadableArrival,
  decidedBy: DecidedBy,
  outcome: ToolOutcome,
  { kept }: { readonly kept: boolean } = { kept: true },
): Promise<ToolResponse> {
  const { call } = arrival;
  const response: ToolResponse = { call_id: call.call_id, ...outcome };
  const now = clock.now();
  const record = {
    kind: "outcome" as const,
    ...aboutCall(arrival, decidedBy, now),
    status: outcome.status,
    reason: outcome.status === "ok" ? null : outcome.reason,
    error_code: outcome.status === "error" ? outcome.error_code : null,
    duration_ms: Math.max(0, now - arrival.arrived_at),
  };
  try {
    const recorded = ledger.recordOutcome(record, kept ? { call, response } : undefined);
    arrival.answering?.(response);
    await recorded;
    if (kept) live.close(arrival, response, decidedBy);
    return response;
  } catch {
    return { call_id: call.call_id, ...platformError("audit_unavailable") };
  }
}

/**
 * A payload that could not be read as a call still gets a coded response and a line in the log
 * (contract §1, "MUST refuse"). It has no arguments, so its line carries the payload's digest.
 */
export function closeMalformed(
  ports: ClosePorts,
  about: Omit<Arrival, "decoded">,
  malformed: MalformedCall,
  arrivedAt: number,
): Promise<ToolResponse> {
  const arrival: ReadableArrival = {
    ...about,
    arrived_at: arrivedAt,
    call: {
      call_id: malformed.call_id,
      tool_name: malformed.tool_name ?? "",
      permission_scope: malformed.permission_scope ?? "",
      arguments: {},
      canonical_arguments: "",
      arguments_digest: malformed.payload_digest,
    },
  };
  return closeCall(ports, arrival, "contract", malformed.refusal, { kept: false });
}
