import { isJsonObject, type JsonValue, ownValue } from "../../../app/contract/json.ts";
import { parseStrictJson, StrictJsonError } from "../../../app/contract/strict-json.ts";
import type { MessageContent } from "../../storage/index.ts";

/** The most bytes of an opened message that are read; its frame has a limit too. */
const PAYLOAD_BYTES = 2_097_152;

/**
 * A message's content: plain text, Markdown, or anything else as JSON. Never throws.
 * @param payload the opened envelope's bytes; null: it could not be opened
 */
export function readContent(payload: Uint8Array | null, sender_id: string): MessageContent {
  const about = { kind: "message", sender_id } as const;
  const value = payload === null ? undefined : parsed(payload);
  if (value === undefined) return { ...about, content: "unreadable", text: "" };
  const text = textIn(value);
  if (text === undefined) {
    return { ...about, content: "artifact", text: JSON.stringify(shownPart(value), null, 2) };
  }
  const isMarkdown = isJsonObject(value) && ownValue(value, "markdown") === true;
  return { ...about, content: isMarkdown ? "markdown" : "text", text };
}

/** The envelope's content for a message by the person. */
export function encodeText({ content, text }: MessageContent): Uint8Array {
  const markdown = content === "markdown" ? { markdown: true } : {};
  return new TextEncoder().encode(JSON.stringify({ type: "text", text, ...markdown }));
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
