import { isJsonObject, type JsonObject, ownValue } from "../app/contract/json.ts";
import { LIMITS } from "../app/contract/limits.ts";
import { parseStrictJson } from "../app/contract/strict-json.ts";
import type { ToolResponse } from "../app/contract/tool-call.ts";
import {
  ARTIFACT_FETCH_SUBTYPE,
  type ArtifactFetch,
  type ArtifactResponse,
  decodeArtifactFetch,
  decodeArtifactResponse,
} from "../app/protocol/v1/artifact-messages.ts";
import type { MessageNewFrame } from "../app/protocol/v1/frames.ts";
import { decodeToolResponse, TOOL_RESPONSE_SUBTYPE } from "../app/protocol/v1/tool-messages.ts";
import type { InboundMessage, UnreadableMessageEvent } from "./events.ts";

export type OpenedMessage =
  | { readonly kind: "response"; readonly response: ToolResponse }
  /** `callId` is the call it claims to answer. */
  | { readonly kind: "unreadable_response"; readonly callId: string }
  | { readonly kind: "answer"; readonly answer: ArtifactResponse }
  | { readonly kind: "fetch"; readonly fetch: ArtifactFetch }
  | { readonly kind: "message"; readonly message: InboundMessage }
  | { readonly kind: "unreadable"; readonly code: UnreadableMessageEvent["payload"]["code"] };

/** A result of the largest size, with room for the JSON around and inside it. */
const PAYLOAD_MAX_BYTES = LIMITS.resultBytes * 2;

/**
 * Reads what was in a message's envelope. Never throws.
 * @param callId the call that the sender sealed it for
 */
export function readMessage(
  frame: MessageNewFrame,
  bytes: Uint8Array,
  callId: string | null,
): OpenedMessage {
  // In a group another agent could send something that looks like the person's answer.
  const answers = frame.msg_subtype === TOOL_RESPONSE_SUBTYPE && frame.sender_type === "human";
  const response = answers ? decodeToolResponse(bytes) : undefined;
  if (response !== undefined && response.call_id === callId) return { kind: "response", response };
  const payload = read(bytes);
  if (payload === undefined) return { kind: "unreadable", code: "malformed_json" };
  const answer = answers ? decodeArtifactResponse(payload) : undefined;
  if (answer !== undefined) return { kind: "answer", answer };
  const asks = frame.msg_subtype === ARTIFACT_FETCH_SUBTYPE && frame.sender_type === "human";
  const fetch = asks ? decodeArtifactFetch(payload) : undefined;
  if (fetch !== undefined) return { kind: "fetch", fetch };
  const answered = answers ? answeredCall(payload) : undefined;
  if (answered !== undefined) return { kind: "unreadable_response", callId: answered };
  return { kind: "message", message: inboundMessage(frame, payload) };
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
