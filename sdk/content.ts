import type { ArtifactBlock } from "../app/contract/artifacts/block.ts";
import { fromBase64 } from "../app/contract/base64.ts";
import type { JsonObject } from "../app/contract/json.ts";
import { readVoice } from "../app/protocol/v1/voice-messages.ts";
import type { InboundMessage } from "./events.ts";

export interface TextContent {
  readonly type: "text";
  readonly text: string;
  /** True when `text` is Markdown. */
  readonly markdown?: boolean;
}

export interface ArtifactContent {
  /** From `artifact()`; or a tool call in the flat or the nested form, or any other artifact. */
  readonly artifact: JsonObject;
}

/** A recording of at most 3 minutes and 768 KiB. */
export interface VoiceContent {
  /** Opus in WebM or Ogg. */
  readonly data: Uint8Array;
  readonly duration_s: number;
  /** What is said, for those who read. At most 20,000 characters. */
  readonly transcript?: string;
}

/** The changes to an artifact that was sent earlier. */
export type ArtifactUpdate = {
  /** Its id. */
  readonly ref_artifact: string;
  /**
   * An integer from 1 to 100. Default: the next. A program that was started again has to say which: with
   * `updates` exactly the next one, with `blocks` any higher one.
   */
  readonly revision?: number;
} & (
  | {
      /** New fields of blocks, by block key. Tag and key of a block never change. */
      readonly updates: Readonly<Record<string, JsonObject>>;
    }
  | {
      /** The artifact as a whole, in place of everything before. */
      readonly blocks: readonly ArtifactBlock[];
      readonly title?: string;
    }
);

/** The hub has stored the message durably. Declared here for the same reason as `AgentClock`. */
export interface SentMessage {
  readonly message_id: string;
  readonly conversation_seq: number;
}

/**
 * Text shown as it is written. Parts are never stored or resent; the final message restores what a
 * lost connection dropped.
 */
export interface MessageStream {
  /** Appends `text`. @throws AgentError `stream_ended`, `payload_too_large` */
  delta(text: string): void;
  /**
   * Ends the stream and sends the whole text as an ordinary message, which is stored.
   * @throws AgentError `stream_ended`; rejects like `send`
   */
  done(finalText: string): Promise<SentMessage>;
  /** Ends the stream and removes the text shown so far. Does nothing when it has already ended. */
  abort(): void;
}

/** A voice message that arrived. */
export interface ReceivedVoice extends VoiceContent {
  /** By its bytes, whatever its sender calls it. The audio is Opus. */
  readonly mime: "audio/webm" | "audio/ogg";
}

/**
 * The voice message in a message. `undefined`: it has none, or one that is too large, too long or of
 * another type. Not more than the beginning of the recording is looked at: treat the rest as foreign.
 */
export function voiceIn({ payload }: Pick<InboundMessage, "payload">): ReceivedVoice | undefined {
  const voice = readVoice(payload);
  if (voice === undefined || "fault" in voice) return undefined;
  const { data, ...about } = voice;
  const bytes = fromBase64(data);
  return bytes && { ...about, data: bytes };
}
