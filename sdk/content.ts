import { ownValue } from "../app/contract/json.ts";
import type { OutboundFrame } from "../app/protocol/link/outbox.ts";
import { plainEnvelope } from "../app/protocol/v1/envelope.ts";
import { encodeToolCancel, TOOL_CANCEL_SUBTYPE } from "../app/protocol/v1/tool-cancel.ts";
import {
  encodeToolCall,
  TOOL_CALL_SUBTYPE,
  TOOL_RESPONSE_SUBTYPE,
} from "../app/protocol/v1/tool-messages.ts";
import type { ArtifactContent, TextContent } from "./outbound.ts";
import { SendError } from "./send-error.ts";

const utf8 = new TextEncoder();

/** What the hub's frame schema lets through; a bigger frame would be refused without its id. */
const SEALED_MAX_CHARS = 1_900_000;
const ID_MAX_CHARS = 128;

/**
 * Seals a payload's bytes for a conversation.
 * @throws SendError `payload_too_large`, `conversation_id_invalid`
 */
export function seal(payload: Uint8Array, conversationId: string, senderId: string): string {
  if (conversationId.length === 0 || conversationId.length > ID_MAX_CHARS) {
    throw new SendError("conversation_id_invalid");
  }
  const context = { conversation_id: conversationId, sender_id: senderId };
  const sealed = plainEnvelope.seal(payload, context);
  if (sealed.length > SEALED_MAX_CHARS) throw new SendError("payload_too_large");
  return sealed;
}

/** @throws SendError `not_json` */
export const jsonBytes = (value: unknown): Uint8Array =>
  orNotJson(() => utf8.encode(JSON.stringify(value)));

function orNotJson(encode: () => Uint8Array): Uint8Array {
  try {
    return encode();
  } catch {
    // A cycle or a bigint; the engine's message would quote the value.
    throw new SendError("not_json");
  }
}

export function textFrame(id: string, content: TextContent, senderId: string): OutboundFrame {
  return {
    conversation_id: id,
    content_type: "text",
    encrypted_payload: seal(jsonBytes(content), id, senderId),
  };
}

export function artifactFrame(
  id: string,
  content: ArtifactContent,
  senderId: string,
): OutboundFrame {
  const subtype = wireSubtype(ownValue(content.artifact, "subtype"));
  return {
    conversation_id: id,
    content_type: "artifact",
    ...(subtype === undefined ? {} : { msg_subtype: subtype }),
    encrypted_payload: seal(jsonBytes({ type: "artifact", ...content }), id, senderId),
  };
}

function wireSubtype(subtype: unknown): string | undefined {
  if (subtype === "tool_call") return TOOL_CALL_SUBTYPE;
  return subtype === "tool_response" ? TOOL_RESPONSE_SUBTYPE : undefined;
}

export function toolCallFrame(
  id: string,
  call: Parameters<typeof encodeToolCall>[0],
  senderId: string,
): OutboundFrame {
  return {
    conversation_id: id,
    content_type: "artifact",
    msg_subtype: TOOL_CALL_SUBTYPE,
    encrypted_payload: seal(
      orNotJson(() => encodeToolCall(call)),
      id,
      senderId,
    ),
  };
}

export const toolCancelFrame = (id: string, callId: string, senderId: string): OutboundFrame => ({
  conversation_id: id,
  content_type: "artifact",
  msg_subtype: TOOL_CANCEL_SUBTYPE,
  encrypted_payload: seal(encodeToolCancel(callId), id, senderId),
});
