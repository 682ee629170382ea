import { isJsonObject, type JsonObject, ownValue } from "../app/contract/json.ts";
import { parseStrictJson } from "../app/contract/strict-json.ts";
import { encodeToolCancel, TOOL_CANCEL_SUBTYPE } from "../app/protocol/v1/tool-cancel.ts";
import {
  encodeToolCall,
  TOOL_CALL_SUBTYPE,
  TOOL_RESPONSE_SUBTYPE,
} from "../app/protocol/v1/tool-messages.ts";
import { encodeVoice, VOICE_SUBTYPE, voiceOf } from "../app/protocol/v1/voice-messages.ts";
import type { ArtifactContent, TextContent, VoiceContent } from "./outbound.ts";
import type { OutboundMessage } from "./sealed-outbox.ts";
import { SendError } from "./send-error.ts";

const utf8 = new TextEncoder();

const ID_MAX_CHARS = 128;

/** @throws SendError `conversation_id_invalid` */
function conversationId(id: string): string {
  if (id.length === 0 || id.length > ID_MAX_CHARS) throw new SendError("conversation_id_invalid");
  return id;
}

/** @throws SendError `not_json` */
const jsonBytes = (value: unknown): Uint8Array =>
  readable(() => utf8.encode(JSON.stringify(value)));

/** An object as its recipient reads it. @throws SendError `not_json` */
export function asRead(value: object): JsonObject {
  const bytes = jsonBytes(value);
  return parseStrictJson(bytes, bytes.length) as JsonObject;
}

/** Refuses what no recipient could read: all of them read strictly (contract §1). */
function readable(encode: () => Uint8Array): Uint8Array {
  try {
    const bytes = encode();
    parseStrictJson(bytes, bytes.length);
    return bytes;
  } catch {
    // The engine's message about a cycle or a bigint would quote the value.
    throw new SendError("not_json");
  }
}

export function textMessage(id: string, content: TextContent): OutboundMessage {
  return {
    conversation_id: conversationId(id),
    content_type: "text",
    plaintext: jsonBytes(content),
    call_id: null,
  };
}

export function artifactMessage(
  id: string,
  { artifact, ...rest }: ArtifactContent,
): OutboundMessage {
  const subtype = wireSubtype(ownValue(artifact, "subtype"));
  return {
    conversation_id: conversationId(id),
    content_type: "artifact",
    ...(subtype === undefined ? {} : { msg_subtype: subtype }),
    plaintext: jsonBytes({ type: "artifact", artifact, ...rest }),
    call_id: subtype === undefined ? null : callIdIn(artifact),
  };
}

function wireSubtype(subtype: unknown): string | undefined {
  if (subtype === "tool_call") return TOOL_CALL_SUBTYPE;
  return subtype === "tool_response" ? TOOL_RESPONSE_SUBTYPE : undefined;
}

/** From the flat form or the nested one; the recipient refuses what is not a valid call id. */
function callIdIn(artifact: JsonObject): string | null {
  const nested = ownValue(artifact, "payload");
  const fields = nested !== undefined && isJsonObject(nested) ? nested : artifact;
  const id = ownValue(fields, "call_id");
  return typeof id === "string" && id.length > 0 && id.length <= ID_MAX_CHARS ? id : null;
}

export const toolCallMessage = (
  id: string,
  call: Parameters<typeof encodeToolCall>[0],
): OutboundMessage => ({
  conversation_id: conversationId(id),
  content_type: "artifact",
  msg_subtype: TOOL_CALL_SUBTYPE,
  plaintext: readable(() => encodeToolCall(call)),
  call_id: call.call_id,
});

export const toolCancelMessage = (id: string, callId: string): OutboundMessage => ({
  conversation_id: id,
  content_type: "artifact",
  msg_subtype: TOOL_CANCEL_SUBTYPE,
  plaintext: encodeToolCancel(callId),
  call_id: callId,
});

/**
 * @throws SendError `conversation_id_invalid`, `voice_malformed`, `voice_type_unknown`,
 *   `voice_too_long`, `voice_too_large`, `not_json`
 */
export function voiceMessage(
  id: string,
  { data, duration_s, transcript }: VoiceContent,
): OutboundMessage {
  const voice = voiceOf(data, duration_s, transcript);
  if ("fault" in voice) throw new SendError(voice.fault);
  return {
    conversation_id: conversationId(id),
    content_type: "artifact",
    msg_subtype: VOICE_SUBTYPE,
    plaintext: readable(() => encodeVoice(voice)),
    call_id: null,
  };
}
