import type { ConversationItem, ConversationView } from "./conversation-views.ts";

/** The events about conversations: a part of `Events`. */
export interface ConversationEvents {
  /** The whole list, as `conversations.list`. */
  readonly "conversations.changed": readonly ConversationView[];
  readonly "conversation.items_changed": {
    readonly conversation_id: string;
    /** New, or replaces the item with the same id. */
    readonly items: readonly ConversationItem[];
    /** Ids of items that were removed. */
    readonly removed: readonly string[];
  };
  /** Its history was deleted: pages read earlier are out of date. */
  readonly "conversation.emptied": { readonly conversation_id: string };
  /** `done`: the whole text follows or has arrived as an item. `aborted`: the text is removed. */
  readonly "conversation.stream": {
    readonly conversation_id: string;
    readonly stream_id: string;
    readonly sender_id: string;
    readonly at: number;
  } & (
    | { readonly kind: "opened" | "done" | "aborted" }
    /** `text` is appended to the earlier parts. */
    | { readonly kind: "delta"; readonly text: string }
  );
  /** `until` null: this member is no longer writing. */
  readonly "conversation.typing": {
    readonly conversation_id: string;
    readonly sender_id: string;
    readonly until: number | null;
  };
  /** How far a member has read. */
  readonly "conversation.read": {
    readonly conversation_id: string;
    readonly member_id: string;
    readonly seq: number;
  };
}

export const CONVERSATION_EVENTS = [
  "conversations.changed",
  "conversation.items_changed",
  "conversation.emptied",
  "conversation.stream",
  "conversation.typing",
  "conversation.read",
] as const satisfies readonly (keyof ConversationEvents)[];
