import { ownValue } from "../../contract/json.ts";
import { LIMITS } from "../../contract/limits.ts";
import { artifactWith } from "./tool-messages.ts";

/**
 * An agent cancels its own call. The platform's documents define no such message, and clients that
 * do not know it ignore it. It is a message rather than a frame so that it is encrypted like the
 * call, arrives after it, and waits with it for a client that is offline.
 */
export const TOOL_CANCEL_SUBTYPE = "artifact_tool_call_cancel";

export const encodeToolCancel = (call_id: string): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({ type: "artifact", artifact: { subtype: "tool_call_cancel", call_id } }),
  );

/** @returns the id of the cancelled call; `undefined` if the payload is no cancellation */
export function decodeToolCancel(payload: Uint8Array): string | undefined {
  const artifact = artifactWith("tool_call_cancel", payload, LIMITS.callBytes);
  const callId = artifact && ownValue(artifact, "call_id");
  return typeof callId === "string" ? callId : undefined;
}
