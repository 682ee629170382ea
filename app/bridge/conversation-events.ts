import type { ConversationItem, ConversationView } from "./conversation-views.ts";

/** What a page hears about conversations: a part of `Events`. */
export interface ConversationEvents {
  /** The whole list, as `conversations.list`. */
  readonly "conversations.changed": readonly ConversationView[];
  readonly "conversation.items_changed": {
    readonly conversation_id: string;
    /** New, or in the place of the item with the same id. */
    readonly items: readonly ConversationItem[];
    /** Ids of items that are no more. */
    readonly removed: readonly string[];
  };
  /** Its history was deleted: pages that were read are old. */
  readonly "conversation.emptied": { readonly conversation_id: string };
  /** `done`: the whole text follows, or has come, as an item. `aborted`: the text is taken back. */
  readonly "conversation.stream": {
    readonly conversation_id: string;
    readonly stream_id: string;
    readonly sender_id: string;
    readonly at: number;
  } & (
    | { readonly kind: "opened" | "done" | "aborted" }
    /** `text` follows what came before. */
    | { readonly kind: "delta"; readonly text: string }
  );
  /** `until` null: nobody of this name is writing any more. */
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
