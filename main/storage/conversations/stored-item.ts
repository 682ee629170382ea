import type { MessageItem, NoteItem, VoiceView } from "../../../app/bridge/conversation-views.ts";
import type { ArtifactState } from "../../../app/contract/artifacts/artifact.ts";
import type { ArtifactResponse } from "../../../app/protocol/v1/artifact-messages.ts";
import type { Voice } from "../../../app/protocol/v1/voice-messages.ts";
import { hmac, hmacKey } from "../../../runtime/crypto/hmac-sha256.ts";
import { openBytes, sealBytes } from "../../../runtime/crypto/sealed-bytes.ts";

export interface MessageContent {
  readonly kind: "message";
  readonly sender_id: string;
  readonly content: Exclude<MessageItem["content"], "blocks" | "answer" | "voice">;
  readonly text: string;
}
/** An artifact that can be drawn; a change replaces it in its place. */
export interface ArtifactContent {
  readonly kind: "artifact";
  readonly sender_id: string;
  readonly state: ArtifactState;
}
/** What the person answered an artifact. */
export interface AnswerContent {
  readonly kind: "answer";
  readonly sender_id: string;
  readonly response: ArtifactResponse;
  /** What the chosen action was called. */
  readonly label: string;
  /** The artifact's `StoredItem.number`. */
  readonly artifact: number;
}
/** A voice message; of one that is not played, only why. */
export interface VoiceContent {
  readonly kind: "voice";
  readonly sender_id: string;
  readonly voice: Voice | { readonly fault: VoiceView["fault"] };
}
export type NoteContent = Omit<NoteItem, "item_id" | "at">;
export type Content = MessageContent | ArtifactContent | AnswerContent | VoiceContent | NoteContent;

const MESSAGE_STATES = ["received", "sending", "sent", "refused", "note"] as const;
export type StoredState = (typeof MESSAGE_STATES)[number];

/** A row of `messages`, decrypted. */
export interface StoredItem {
  /** In the order they were stored. */
  readonly number: number;
  readonly conversation_id: string;
  readonly state: StoredState;
  readonly at: number;
  readonly seq: number | null;
  readonly message_id: string | null;
  readonly client_message_id: string | null;
  /** The hub's code, if it refused the message. */
  readonly refusal: string | null;
  /** Null: it cannot be decrypted with this host key. */
  readonly content: Content | null;
}

export interface ReceivedMessage {
  readonly conversation_id: string;
  readonly seq: number;
  readonly message_id: string;
  readonly at: number;
  readonly content: MessageContent | ArtifactContent | VoiceContent;
}

export interface OwnMessage {
  readonly conversation_id: string;
  readonly client_message_id: string;
  readonly at: number;
  readonly content: MessageContent | AnswerContent | VoiceContent;
}

/** A text of an imported file. */
export interface FormerMessage {
  readonly conversation_id: string;
  /** Its number in the file's program. */
  readonly number: number;
  readonly state: "received" | "sent";
  readonly at: number;
  readonly content: MessageContent;
}

/** Facts about a conversation, stored for when the hub cannot be asked. */
export interface About {
  readonly kind: "direct" | "group";
  readonly title: string | null;
  readonly agent_ids: readonly string[];
}

export interface ConversationState {
  readonly read_seq: number;
  readonly about: About | null;
  /** Received but not seen, counted up to `UNREAD_COUNTED`. */
  readonly unread: number;
  readonly newest: StoredItem | null;
}

/** Unread messages are counted up to this number. */
export const UNREAD_COUNTED = 1_000;

export interface ContentSeal {
  seal(content: unknown, names: readonly string[]): Uint8Array;
  /** `undefined`: not sealed with this key for these names, or altered afterwards. */
  open(sealed: Uint8Array, names: readonly string[]): unknown;
  /** The same for the same names; what they are cannot be told from it without the key. */
  alias(names: readonly string[]): string;
}

/**
 * Content as JSON, sealed for the names it is bound to, so what was sealed for one row does not open in another.
 *
 * @param key 32 bytes, used for nothing else
 * @param random returns that many unpredictable bytes
 */
export function contentSeal(key: Uint8Array, random: (bytes: number) => Uint8Array): ContentSeal {
  const aliases = hmacKey(hmac(hmacKey(key), Buffer.from("aliases")));
  return {
    alias: (names) => hmac(aliases, json(names)).toString("hex"),
    seal: (content, names) => sealBytes(key, json(content), json(names), random),
    open(sealed, names) {
      const opened = openBytes(key, sealed, json(names));
      return opened === null ? undefined : JSON.parse(Buffer.from(opened).toString("utf8"));
    },
  };
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
