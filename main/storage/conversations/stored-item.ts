import type { MessageItem, NoteItem } from "../../../app/bridge/conversation-views.ts";

export interface MessageContent {
  readonly kind: "message";
  readonly sender_id: string;
  readonly content: MessageItem["content"];
  readonly text: string;
}
export type NoteContent = Omit<NoteItem, "item_id" | "at">;
export type Content = MessageContent | NoteContent;

const MESSAGE_STATES = ["received", "sending", "sent", "refused", "note"] as const;
export type StoredState = (typeof MESSAGE_STATES)[number];

/** A row of `messages`, opened. */
export interface StoredItem {
  /** In the order in which they came to be kept. */
  readonly number: number;
  readonly conversation_id: string;
  readonly state: StoredState;
  readonly at: number;
  readonly seq: number | null;
  readonly message_id: string | null;
  readonly client_message_id: string | null;
  /** The hub's word, of one it refused. */
  readonly refusal: string | null;
  /** Null: it cannot be opened with this host key. */
  readonly content: Content | null;
}

export interface ReceivedMessage {
  readonly conversation_id: string;
  readonly seq: number;
  readonly message_id: string;
  readonly at: number;
  readonly content: MessageContent;
}

export interface OwnMessage {
  readonly conversation_id: string;
  readonly client_message_id: string;
  readonly at: number;
  readonly content: MessageContent;
}

/** What a conversation is, stored for when the hub cannot be asked. */
export interface About {
  readonly kind: "direct" | "group";
  readonly title: string | null;
  readonly agent_ids: readonly string[];
}

export interface ConversationState {
  readonly read_seq: number;
  readonly about: About | null;
  /** Received and not seen, up to `UNREAD_COUNTED`. */
  readonly unread: number;
  readonly newest: StoredItem | null;
}

/** More than this many unread ones are not counted further. */
export const UNREAD_COUNTED = 1_000;
