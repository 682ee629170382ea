import { isJsonObject, type JsonObject, ownValue } from "../app/contract/json.ts";
import { LIMITS } from "../app/contract/limits.ts";
import { parseStrictJson } from "../app/contract/strict-json.ts";
import type { ToolResponse } from "../app/contract/tool-call.ts";
import { plainEnvelope } from "../app/protocol/v1/envelope.ts";
import type { MessageNewFrame } from "../app/protocol/v1/frames.ts";
import { decodeToolResponse, TOOL_RESPONSE_SUBTYPE } from "../app/protocol/v1/tool-messages.ts";
import type { InboundMessage, UnreadableMessageEvent } from "./events.ts";

export type OpenedMessage =
  | { readonly kind: "response"; readonly response: ToolResponse }
  /** `callId` is the call it claims to answer. */
  | { readonly kind: "unreadable_response"; readonly callId: string }
  | { readonly kind: "message"; readonly message: InboundMessage }
  | { readonly kind: "unreadable"; readonly code: UnreadableMessageEvent["payload"]["code"] };

/** A result of the largest size, with room for the JSON around and inside it. */
const PAYLOAD_MAX_BYTES = LIMITS.resultBytes * 2;

/** Opens a message's envelope and reads what is inside. Never throws. */
export function openMessage(frame: MessageNewFrame): OpenedMessage {
  const bytes = open(frame);
  if (bytes === undefined) return { kind: "unreadable", code: "envelope_unreadable" };
  // In a group another agent could send something that looks like the person's answer.
  const answers = frame.msg_subtype === TOOL_RESPONSE_SUBTYPE && frame.sender_type === "human";
  if (answers) {
    const response = decodeToolResponse(bytes);
    if (response !== undefined) return { kind: "response", response };
  }
  const payload = read(bytes);
  if (payload === undefined) return { kind: "unreadable", code: "malformed_json" };
  const callId = answers ? answeredCall(payload) : undefined;
  if (callId !== undefined) return { kind: "unreadable_response", callId };
  return { kind: "message", message: inboundMessage(frame, payload) };
}

function open(frame: MessageNewFrame): Uint8Array | undefined {
  const { conversation_id, sender_id, encrypted_payload } = frame;
  try {
    return plainEnvelope.open(encrypted_payload, { conversation_id, sender_id });
  } catch {
    return undefined;
  }
}

function read(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value = parseStrictJson(bytes, PAYLOAD_MAX_BYTES);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The call id of a payload that calls itself a tool response and could not be read as one. */
function answeredCall(payload: JsonObject): string | undefined {
  const artifact = ownValue(payload, "artifact");
  if (artifact === undefined || !isJsonObject(artifact)) return undefined;
  if (ownValue(artifact, "subtype") !== "tool_response") return undefined;
  const callId = ownValue(artifact, "call_id");
  return typeof callId === "string" ? callId : "";
}

function inboundMessage(frame: MessageNewFrame, payload: JsonObject): InboundMessage {
  const { type: _, encrypted_payload: __, conversation_seq: ___, ...head } = frame;
  return { ...head, payload };
}
