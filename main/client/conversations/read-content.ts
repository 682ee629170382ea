import { isJsonObject, type JsonValue, ownValue } from "../../../app/contract/json.ts";
import { parseStrictJson, StrictJsonError } from "../../../app/contract/strict-json.ts";
import {
  decodeSentArtifact,
  type SentArtifact,
} from "../../../app/protocol/v1/artifact-messages.ts";
import { readVoice } from "../../../app/protocol/v1/voice-messages.ts";
import type { ArtifactContent, MessageContent, VoiceContent } from "../../storage/index.ts";

type SentUpdate = Extract<SentArtifact, { readonly kind: "update" }>;

/** The most bytes of an opened message that are read; its frame has a limit too. */
const PAYLOAD_BYTES = 2_097_152;

/**
 * A message's content: plain text, Markdown, a voice message, an artifact that can be drawn, a change
 * to one, or anything else as JSON. Never throws.
 * @param payload the opened envelope's bytes; null: it could not be opened
 */
export function readContent(
  payload: Uint8Array | null,
  sender_id: string,
): MessageContent | ArtifactContent | VoiceContent | SentUpdate {
  const about = { kind: "message", sender_id } as const;
  const value = payload === null ? undefined : parsed(payload);
  if (value === undefined) return { ...about, content: "unreadable", text: "" };
  const voice = readVoice(value);
  if (voice !== undefined) return { kind: "voice", sender_id, voice };
  const sent = decodeSentArtifact(value);
  if (sent?.kind === "update") return sent;
  if (sent !== undefined) return { kind: "artifact", sender_id, state: sent.state };
  const text = textIn(value);
  if (text === undefined) {
    return { ...about, content: "artifact", text: JSON.stringify(shownPart(value)) };
  }
  const isMarkdown = isJsonObject(value) && ownValue(value, "markdown") === true;
  return { ...about, content: isMarkdown ? "markdown" : "text", text };
}

function parsed(payload: Uint8Array): JsonValue | undefined {
  try {
    return parseStrictJson(payload, PAYLOAD_BYTES);
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined;
    throw error;
  }
}

function textIn(value: JsonValue): string | undefined {
  if (!isJsonObject(value) || ownValue(value, "type") !== "text") return undefined;
  const text = ownValue(value, "text");
  return typeof text === "string" ? text : undefined;
}

function shownPart(value: JsonValue): JsonValue {
  const artifact = isJsonObject(value) ? ownValue(value, "artifact") : undefined;
  return artifact ?? value;
}
