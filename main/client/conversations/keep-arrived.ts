import { isJsonObject, type JsonValue, ownValue } from "../../../app/contract/json.ts";
import { parseStrictJson, strictJsonError } from "../../../app/contract/strict-json.ts";
import {
  decodeSentArtifact,
  type SentArtifact,
} from "../../../app/protocol/v1/artifact-messages.ts";
import { readVoice } from "../../../app/protocol/v1/voice-messages.ts";
import type { ArrivedMessage } from "../../channels/arrived-messages.ts";
import type {
  ArtifactContent,
  ConversationStore,
  MessageContent,
  StoredItem,
  VoiceContent,
} from "../../storage/index.ts";

export interface KeepingPorts {
  readonly store: Pick<ConversationStore, "receive" | "reopen" | "revise">;
  /** Whether the conversation is with one of the person's agents. */
  readonly isWithAgent: boolean;
  /** Whether this sender's voice messages are played. */
  readonly takesVoice: (senderId: string) => boolean;
  /** Milliseconds on the trusted clock. */
  readonly now: number;
  readonly shown: (item: StoredItem) => void;
  /** Asks for changes that an artifact lacks; false: it must be tried again. */
  readonly fill: (item: StoredItem) => Promise<boolean>;
  readonly report: (error: unknown) => void;
}

/**
 * Stores a message before the hub is told that it may erase it. False: it could not be stored and must
 * be delivered again. Never rejects.
 */
export async function keepArrived(
  { store, isWithAgent, takesVoice, now, shown, fill, report }: KeepingPorts,
  message: ArrivedMessage,
): Promise<boolean> {
  const { conversation_id, conversation_seq, message_id, sender_id, payload } = message;
  const sent = Date.parse(message.created_at);
  try {
    // A conversation whose agent was removed gets messages again when the agent is back.
    if (isWithAgent) await store.reopen(conversation_id);
    const content = readContent(payload, sender_id);
    if (content.kind === "update") {
      // Without its artifact, which the person has deleted, there is nothing to change.
      const revised = await store.revise(
        conversation_id,
        sender_id,
        content.artifactId,
        content.change,
      );
      if (revised === null) return true;
      shown(revised);
      return await fill(revised);
    }
    const item = await store.receive({
      conversation_id,
      seq: conversation_seq,
      message_id,
      // A wrong clock elsewhere must not put a message into the future.
      at: Number.isFinite(sent) ? Math.min(sent, now) : now,
      content:
        content.kind === "voice" && !takesVoice(sender_id)
          ? { ...content, voice: { fault: "voice_unsupported" } }
          : content,
    });
    if (item !== null) shown(item);
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

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
    if (strictJsonError.is(error)) return undefined;
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
