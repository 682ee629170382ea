import { isJsonObject, type JsonObject, ownValue } from "../app/contract/json.ts";
import { LIMITS } from "../app/contract/limits.ts";
import { parseStrictJson } from "../app/contract/strict-json.ts";
import type { ToolResponse } from "../app/contract/tool-call.ts";
import type { UnsealedMessage } from "../app/protocol/link/sealed-outbox.ts";
import {
  ARTIFACT_FETCH_SUBTYPE,
  type ArtifactFetch,
  type ArtifactResponse,
  decodeArtifactFetch,
  decodeArtifactResponse,
} from "../app/protocol/v1/artifact-messages.ts";
import type { MessageNewFrame } from "../app/protocol/v1/frames.ts";
import {
  decodeToolResponse,
  encodeToolCall,
  encodeToolCancel,
  TOOL_CALL_SUBTYPE,
  TOOL_CANCEL_SUBTYPE,
  TOOL_RESPONSE_SUBTYPE,
} from "../app/protocol/v1/tool-messages.ts";
import { encodeVoice, VOICE_SUBTYPE, voiceOf } from "../app/protocol/v1/voice-messages.ts";
import type { ArtifactContent, TextContent, VoiceContent } from "./content.ts";
import { AgentError } from "./errors.ts";
import type { InboundMessage, UnreadableMessageEvent } from "./events.ts";

const utf8 = new TextEncoder();

const ID_MAX_CHARS = 128;

/** @throws AgentError `conversation_id_invalid` */
function conversationId(id: string): string {
  if (id.length === 0 || id.length > ID_MAX_CHARS) throw new AgentError("conversation_id_invalid");
  return id;
}

/** @throws AgentError `not_json` */
const jsonBytes = (value: unknown): Uint8Array =>
  readable(() => utf8.encode(JSON.stringify(value)));

/** An object as its recipient reads it. @throws AgentError `not_json` */
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
    throw new AgentError("not_json");
  }
}

export function textMessage(id: string, content: TextContent): UnsealedMessage {
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
): UnsealedMessage {
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
): UnsealedMessage => ({
  conversation_id: conversationId(id),
  content_type: "artifact",
  msg_subtype: TOOL_CALL_SUBTYPE,
  plaintext: readable(() => encodeToolCall(call)),
  call_id: call.call_id,
});

export const toolCancelMessage = (id: string, callId: string): UnsealedMessage => ({
  conversation_id: id,
  content_type: "artifact",
  msg_subtype: TOOL_CANCEL_SUBTYPE,
  plaintext: encodeToolCancel(callId),
  call_id: callId,
});

/**
 * @throws AgentError `conversation_id_invalid`, `voice_malformed`, `voice_type_unknown`,
 *   `voice_too_long`, `voice_too_large`, `not_json`
 */
export function voiceMessage(
  id: string,
  { data, duration_s, transcript }: VoiceContent,
): UnsealedMessage {
  const voice = voiceOf(data, duration_s, transcript);
  if ("fault" in voice) throw new AgentError(voice.fault);
  return {
    conversation_id: conversationId(id),
    content_type: "artifact",
    msg_subtype: VOICE_SUBTYPE,
    plaintext: readable(() => encodeVoice(voice)),
    call_id: null,
  };
}

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

/** Crockford's base 32: no I, L, O, U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

/**
 * A 26-character id: 48 bits of time, so that ids sort by creation time, then 80 random bits.
 * @param now milliseconds since the epoch
 */
export function ulid(now: number): string {
  let time = "";
  let rest = Math.floor(now);
  for (let at = 0; at < TIME_CHARS; at += 1) {
    time = ALPHABET.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let random = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_CHARS))) {
    random += ALPHABET.charAt(byte % 32);
  }
  return time + random;
}
