import type { FieldValues } from "../contract/artifacts/answer.ts";
import type { ReadBlock, SentFileBlock } from "../contract/artifacts/block.ts";
import type { CallTarget } from "../contract/target/target.ts";
import type { DecidedBy } from "../contract/tool-call.ts";
import type { NameMark, RelationStatus } from "./agent-views.ts";
import { ACTIVITY_STATUSES } from "./views.ts";

/** The person's conversations. Times are milliseconds since the epoch. */

/**
 * `direct`: with one agent. `group`: several, without tools (contract §1). `system`: the program's
 * own, where an agent's manifest is replaced; there is always exactly one.
 */
const CONVERSATION_KINDS = ["direct", "group", "system"] as const;
type ConversationKind = (typeof CONVERSATION_KINDS)[number];

/** The id of the one conversation of kind `system`. */
export const SYSTEM_CONVERSATION = "system";

/** Characters (UTF-16 units) of a message the person may send. */
export const SENT_TEXT_MAX = 65_536;
/** Characters of one message in a page; `conversations.text` has the whole text. */
export const SHOWN_TEXT_MAX = 20_000;
/** Characters of a group's title. */
export const GROUP_TITLE_MAX = 128;
/** Agents in a group: the hub takes 500 members. */
export const GROUP_AGENTS_MAX = 499;
/** Characters of `last_text`. */
export const LAST_TEXT_MAX = 200;

export interface MemberView {
  /** A person's id or an agent's. */
  readonly member_id: string;
  readonly is_agent: boolean;
  /** The person who looks at this. */
  readonly is_me: boolean;
  /** An agent's own name for itself. */
  readonly name: string | null;
  /** The person's own name for an agent. */
  readonly petname: string | null;
  /** Not one of the person's agents, but with a name that looks like one of theirs. */
  readonly name_is_borrowed: boolean;
  readonly online: boolean;
  /** How far this member has read, by message number; 0: nothing, or unknown. */
  readonly read_seq: number;
  /** Its artifacts are drawn; otherwise they are shown as data (contract §5). */
  readonly draws_artifacts: boolean;
}

/** What is possible in a conversation, by the manifests' flags (contract §5). */
export interface OffersView {
  /** Writing: false in the system's conversation and once a relation has ended. */
  readonly text: boolean;
  readonly streaming: boolean;
  /** Drawn and answered at all; in a group, each agent's own flag counts as well. */
  readonly artifacts: boolean;
  readonly voice: boolean;
  /** Being added to groups. */
  readonly groups: boolean;
  /** False in groups, and for an agent that declares none. */
  readonly tools: boolean;
}

export interface ConversationView {
  readonly conversation_id: string;
  readonly kind: ConversationKind;
  /** The agent's name as it is shown, or the group's title; null: a group without one, or the system's. */
  readonly title: string | null;
  /** The group's title looks like another conversation's. */
  readonly title_is_shared: boolean;
  readonly title_mark: NameMark | null;
  readonly agent_ids: readonly string[];
  readonly members: readonly MemberView[];
  /** Messages of others that arrived after the last `conversations.mark_read`. */
  readonly unread: number;
  /** Of the newest message or note; null: there is none. */
  readonly last_at: number | null;
  /** Its beginning; null where it has no text. */
  readonly last_text: string | null;
  /** The format of that text; null where there is none. */
  readonly last_content: MessageItem["content"] | null;
  readonly last_sender_id: string | null;
  readonly offers: OffersView;
  /** Of a direct conversation's relation; otherwise `active`. */
  readonly relation: RelationStatus;
  /** The agent of a direct conversation, or any agent of a group. */
  readonly online: boolean;
  /** A group that the person may rename and whose members they choose; it ends when they leave. */
  readonly owned: boolean;
}

/** `sending`: stored here, not at the hub yet; it is sent again until the hub has answered. */
export type MessageState =
  | { readonly kind: "received" }
  | { readonly kind: "sending" }
  | { readonly kind: "sent" }
  /** `code`: of `HUB_ERRORS`, or why it could not be sealed (`SealingError`). */
  | { readonly kind: "refused"; readonly code: string };

/**
 * Items are identified by `item_id` and shown in the order of `at`, then `item_id`. An item with a
 * known id replaces the older one.
 */
export interface MessageItem {
  readonly kind: "message";
  readonly item_id: string;
  /** When it was sent, by the hub's clock; while `sending`, by this program's. */
  readonly at: number;
  readonly message_id: string | null;
  /** The hub's number in its conversation; null while `sending` or refused. */
  readonly seq: number | null;
  readonly sender_id: string;
  readonly mine: boolean;
  /**
   * `artifact`: JSON as text. `blocks`: an artifact that can be drawn; `text` is its title. `answer`: of
   * the person to an artifact; `text` is what its action was called. `voice`: `text` is what is said,
   * as far as its sender wrote it down. `unreadable`: it could not be opened, and `text` is empty.
   */
  readonly content: "text" | "markdown" | "artifact" | "blocks" | "answer" | "voice" | "unreadable";
  readonly text: string;
  /** Of `blocks`; otherwise null. */
  readonly artifact: ArtifactView | null;
  /** Of an `answer`, as `conversations.answer` sends it again; otherwise null. */
  readonly answers: GivenAnswer | null;
  /** Of `voice`; otherwise null. */
  readonly voice: VoiceView | null;
  /** `text` was shortened to `SHOWN_TEXT_MAX`. */
  readonly truncated: boolean;
  readonly state: MessageState;
  /** As passed to `conversations.send`. */
  readonly client_message_id: string | null;
}

/** `conversations.voice` has what is played. */
export interface VoiceView {
  /** As its sender measured it. */
  readonly duration_s: number;
  /** Why it is not played; null: it can be. */
  readonly fault:
    | "voice_malformed"
    | "voice_type_unknown"
    | "voice_too_long"
    | "voice_too_large"
    /** The agent's manifest does not say that it sends any. */
    | "voice_unsupported"
    | null;
}

/** `conversations.file` saves it. */
export type FileView = Omit<SentFileBlock, "data"> & { readonly bytes: number };
export type BlockView = Exclude<ReadBlock, SentFileBlock> | FileView;

export interface ArtifactView {
  readonly revision: number;
  readonly title: string | null;
  readonly blocks: readonly BlockView[];
  /** Changes are missing, and the agent was asked for them. */
  readonly missing: boolean;
  /** Null: not answered. */
  readonly answer: Omit<GivenAnswer, "item_id" | "revision"> | null;
}

export interface GivenAnswer {
  /** The artifact's. */
  readonly item_id: string;
  /** Of the artifact, as it was drawn. */
  readonly revision: number;
  readonly ref_action: string;
  readonly values: FieldValues;
}

export const CARD_STATUSES = ["waiting", ...ACTIVITY_STATUSES] as const;
export type CardStatus = (typeof CARD_STATUSES)[number];

/**
 * A tool call, as the log has it: without arguments (contract §6). One that waits has `request_id`,
 * under which `consent.list` has the arguments; once answered, an item from the log replaces it.
 */
export interface CallItem {
  readonly kind: "call";
  readonly item_id: string;
  /** When the call arrived. */
  readonly at: number;
  readonly line_id: number | null;
  readonly request_id: string | null;
  readonly call_id: string;
  readonly agent_id: string;
  readonly tool_name: string;
  /** What it is about, as long as that is in the program's memory. */
  readonly target?: CallTarget;
  readonly scope: string;
  readonly status: CardStatus;
  readonly reason: string | null;
  readonly error_code: string | null;
  /** Of one that waits: the person. */
  readonly decided_by: DecidedBy;
  readonly ended_at: number | null;
}

/**
 * Something that the program did on the person's request; `left_group`: an agent whose new manifest takes
 * no part in groups is out of this one.
 */
export interface NoteItem {
  readonly kind: "note";
  readonly item_id: string;
  readonly at: number;
  readonly code: "manifest_applied" | "manifest_not_applied" | "left_group";
  readonly agent_id: string;
  readonly agent_name: string;
  /** The manifest's own; null where it is not known. */
  readonly agent_version: string | null;
  /** The hub's number of it; null: it was refused. */
  readonly manifest_version: number | null;
  readonly changes: number;
  readonly breaking: number;
  /** Why it was refused; null: it was accepted. */
  readonly error_code: string | null;
}

export type ConversationItem = MessageItem | CallItem | NoteItem;

/** Text that is being written. */
export interface StreamView {
  readonly stream_id: string;
  readonly sender_id: string;
  readonly started_at: number;
  readonly text: string;
}

export interface TypingView {
  readonly sender_id: string;
  /** It ends at this time unless it is repeated. */
  readonly until: number;
}

/** Where a page begins. 0: nothing older of that kind is left. */
export interface PagePlace {
  readonly message: number;
  readonly call: number;
}

export interface ConversationPage {
  /** Newest last. */
  readonly items: readonly ConversationItem[];
  /** Pass it as `before` for the next older page; null at the beginning. */
  readonly next_before: PagePlace | null;
  /** Texts being written now: with the newest page only. */
  readonly streams: readonly StreamView[];
  readonly typing: readonly TypingView[];
}

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
