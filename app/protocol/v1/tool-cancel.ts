import { isJsonObject, type JsonValue, ownValue } from "../../contract/json.ts";
import { LIMITS } from "../../contract/limits.ts";
import { parseStrictJson } from "../../contract/strict-json.ts";

/**
 * An agent gives up on a call of its own. The public documents know no such message; a client that
 * does not know it either leaves it alone. A message and not a frame, so that it is sealed like the
 * call, comes after it, and waits with it for a client that is away.
 */
export const TOOL_CANCEL_SUBTYPE = "artifact_tool_call_cancel";

export const encodeToolCancel = (call_id: string): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({ type: "artifact", artifact: { subtype: "tool_call_cancel", call_id } }),
  );

/** @returns the id of the call that is given up; `undefined` when the payload is no cancellation */
export function decodeToolCancel(payload: Uint8Array): string | undefined {
  let value: JsonValue;
  try {
    value = parseStrictJson(payload, LIMITS.callBytes);
  } catch {
    return undefined;
  }
  const artifact = isJsonObject(value) ? ownValue(value, "artifact") : undefined;
  if (artifact === undefined || !isJsonObject(artifact)) return undefined;
  if (ownValue(artifact, "subtype") !== "tool_call_cancel") return undefined;
  const callId = ownValue(artifact, "call_id");
  return typeof callId === "string" ? callId : undefined;
}
