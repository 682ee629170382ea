import type { MalformedCall, ToolResponse } from "../contract/tool-call.ts";
import type { Arrival, ReadableArrival } from "./arrival.ts";
import { closeCall } from "./close-call.ts";

/**
 * A payload that could not be read as a call still gets a coded response and a line in the log
 * (contract §1, "MUST refuse"). It has no arguments, so its line carries the payload's digest.
 */
export function refuseMalformed(
  ports: Parameters<typeof closeCall>[0],
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
