import type { JsonObject } from "../app/contract/json.ts";

export interface TextContent {
  readonly type: "text";
  readonly text: string;
  /** True when `text` is Markdown. */
  readonly markdown?: boolean;
}

export interface ArtifactContent {
  /** A tool call in the flat or the nested form, or any other artifact. */
  readonly artifact: JsonObject;
}

/** What changes of an artifact that was sent before. */
export interface ArtifactUpdate {
  /** Its id. */
  readonly ref_artifact: string;
  /** Higher than any before: an integer from 1. */
  readonly revision: number;
  /** By block key. */
  readonly updates: JsonObject;
}

/** The hub has the message durably. Declared here for the same reason as `AgentClock`. */
export interface SentMessage {
  readonly message_id: string;
  readonly conversation_seq: number;
}

/**
 * Text shown while it is being written. Parts are never stored or resent: what a lost connection
 * costs, the final message brings.
 */
export interface MessageStream {
  /** Appends `text`. @throws AgentError `stream_ended`; SendError `payload_too_large` */
  delta(text: string): void;
  /**
   * Ends the stream and sends the whole text as an ordinary message, which is stored.
   * @throws AgentError `stream_ended`; rejects like `send`
   */
  done(finalText: string): Promise<SentMessage>;
  /** Ends the stream; what was shown of it is taken back. Nothing happens when it has ended. */
  abort(): void;
}
