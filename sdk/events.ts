import type { FieldValues } from "../app/contract/artifacts/answer.ts";
import type { ErrorCode, Status } from "../app/contract/codes.ts";
import type { JsonObject, JsonValue } from "../app/contract/json.ts";
import type { BreakingChange } from "../app/protocol/v1/breaking-change.ts";
import type { EncryptionEvent } from "./encryption/encryption-events.ts";
import type { AgentError, AgentErrorCode } from "./errors.ts";

/** A message that somebody wrote to the agent. */
export interface InboundMessage {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly conversation_type: "h2h" | "h2a" | "group";
  readonly sender_id: string;
  readonly sender_type: "human" | "agent" | "system";
  readonly content_type: "text" | "artifact";
  readonly msg_subtype?: string;
  /** For text: `{type: "text", text, markdown?}`. Deeply frozen. */
  readonly payload: JsonObject;
  /** ISO 8601. */
  readonly created_at: string;
}

/** A group as it is when one of its messages arrives. */
export interface GroupMetadata {
  /** The conversation's id. */
  readonly group_id: string;
  readonly title: string | null;
  /** The person it belongs to. */
  readonly owner_id: string;
  readonly member_count: number;
}

/** A message as handlers receive it. */
export interface DeliveredMessage extends InboundMessage {
  /** Rises by one with each message of the conversation. */
  readonly conversation_seq: number;
  /** Set for a group. A webhook agent does not get it and can use `conversations.get`. */
  readonly group_metadata?: GroupMetadata;
}

/** The response of contract §1. `reason` and `error_code` are absent where the table has a dash. */
export interface ToolResponseFields {
  readonly call_id: string;
  readonly status: Status;
  readonly result?: JsonValue;
  readonly reason?: string;
  readonly error_code?: ErrorCode;
}

/** Both published shapes at once: `payload` is the older one, `artifact` the newer. */
export interface ToolResponseEvent {
  readonly type: "artifact_response";
  readonly payload: ToolResponseFields & {
    readonly conversation_id: string;
    /** The artifact answered: a call's artifact id is its call id. */
    readonly ref_artifact: string;
    readonly ref_artifact_subtype: "tool_response";
  };
  readonly artifact: ToolResponseFields & { readonly subtype: "tool_response" };
}

/** What the person answered an artifact, checked by their client against the artifact's own fields. */
export interface ArtifactAnswer {
  readonly conversation_id: string;
  /** The artifact's id. */
  readonly ref_artifact: string;
  /** The key of the action that was chosen. */
  readonly ref_action: string;
  /** By field key. Fields in which nothing was entered are absent. */
  readonly values: FieldValues;
  /** The revision that was answered. */
  readonly revision: number;
}

/** There is at most one for each artifact. */
export interface ArtifactResponseEvent {
  readonly type: "artifact_response";
  readonly payload: ArtifactAnswer & { readonly ref_artifact_subtype: "artifact" };
  readonly artifact: Omit<ArtifactAnswer, "conversation_id"> & {
    readonly subtype: "artifact_response";
  };
}

/**
 * The person's client lacks changes of an artifact that another process of this agent sent: send it whole,
 * by `updateArtifact` with `blocks` and the newest revision. What this process sent is sent again by itself.
 */
export interface ArtifactFetchEvent {
  readonly type: "artifact_fetch";
  readonly payload: {
    readonly conversation_id: string;
    readonly ref_artifact: string;
    /** The newest one that the client has without a gap. */
    readonly revision: number;
  };
}

export const isToolResponse = (event: AgentEvent): event is ToolResponseEvent =>
  event.type === "artifact_response" && event.artifact.subtype === "tool_response";

/** A message that cannot be opened or is not strict JSON. It is not delivered again. */
export interface UnreadableMessageEvent {
  readonly type: "message.unreadable";
  readonly payload: {
    readonly message_id: string;
    readonly conversation_id: string;
    readonly code: "envelope_unreadable" | "malformed_json" | "response_unreadable";
    /**
     * For `envelope_unreadable` the cause, one of docs/encryption.md, "Refusals"; else null. Only for the
     * agent's log: someone who may have changed the envelope must not learn which check it failed.
     */
    readonly refusal: string | null;
  };
}

/** The hub could not read a frame from this agent. */
export interface FrameErrorEvent {
  readonly type: "frame.error";
  readonly payload: {
    readonly code: string;
    readonly message: string;
    readonly i18n_key: string;
    readonly params: Readonly<Record<string, unknown>>;
  };
}

/** The relation with a person, or what it grants, was created or changed. */
export interface RelationEvent {
  readonly type:
    | "relation.established"
    | "relation.updated"
    | "relation.suspended"
    | "relation.restored"
    | "relation.revoked";
  readonly payload: {
    readonly relation_id: string;
    readonly agent_id: string;
    readonly user_id: string;
    readonly conversation_id: string;
    readonly granted_scopes: readonly string[];
    readonly status: "active" | "suspended" | "revoked";
    readonly connection_mode: "websocket" | "webhook";
  };
}

/** Until the person answers, calls that need these scopes are `scope_not_granted` (contract §7). */
export interface ReauthRequiredEvent {
  readonly type: "h2a.reauth_required";
  readonly payload: {
    readonly agent_id: string;
    readonly new_manifest_version: number;
    readonly new_manifest_hash: string;
    readonly scopes_requiring_reauth: readonly string[];
    /** The hub's judgement, at most 500 of them. */
    readonly breaking_changes: readonly BreakingChange[];
  };
}

export interface ManifestChangedEvent {
  readonly type: "agent.manifest_changed";
  readonly payload: {
    readonly agent_id: string;
    readonly capability_manifest_version: number;
    readonly capability_manifest_hash: string;
  };
}

/** The person answered a breaking manifest. The last answer is repeated at every connect. */
interface CapabilityChangedEvent {
  readonly type: "agent.capability_changed";
  readonly payload: {
    readonly relation_id: string;
    readonly agent_id: string;
    readonly user_id: string;
    readonly capability_manifest_version: number;
    /** Everything that needed new consent was granted. */
    readonly accepted: boolean;
    readonly granted_scopes: readonly string[];
  };
}

/**
 * The hub ended a stream: 30 s without a part, over 5 minutes in all, over 64 at once, in a group of more
 * than 200 members, or of an agent whose manifest says `supports_streaming: false`.
 */
export interface StreamErrorEvent {
  readonly type: "stream.error";
  readonly payload: {
    readonly conversation_id: string;
    readonly stream_id: string;
    readonly sender_id: string;
    readonly code:
      | "orphaned"
      | "too_long"
      | "too_many"
      | "group_too_large"
      | "streaming_unsupported";
  };
}

/** A group was created or changed; after every connect once for each group, as `current`. */
export interface GroupUpdatedEvent {
  readonly type: "group.updated";
  readonly payload: {
    readonly conversation_id: string;
    readonly change:
      | "current"
      | "created"
      | "renamed"
      | "members_added"
      | "members_removed"
      | "ended";
    readonly title: string | null;
    readonly owner_id: string;
    readonly member_count: number;
    /** The member that the change is about. */
    readonly member_ids: readonly string[];
    readonly by: string | null;
  };
}

/** How far a member has read the conversation; after every connect once for each member. */
export interface MessageReadEvent {
  readonly type: "message.read";
  readonly payload: {
    readonly conversation_id: string;
    readonly user_id: string;
    readonly seq: number;
  };
}

/**
 * The person uses another hub now. `followed`: the agent connects there from now on, also after a restart.
 * Otherwise it stays where it is: others have added it too, the hub calls it, or that one does not let it in.
 */
export interface HubMovedEvent {
  readonly type: "hub.moved";
  readonly payload: {
    readonly user_id: string;
    readonly hub: string;
    readonly followed: boolean;
  };
}

export type AgentEvent =
  | EncryptionEvent
  | HubMovedEvent
  | ToolResponseEvent
  | ArtifactResponseEvent
  | ArtifactFetchEvent
  | UnreadableMessageEvent
  | FrameErrorEvent
  | RelationEvent
  | ReauthRequiredEvent
  | ManifestChangedEvent
  | CapabilityChangedEvent
  | StreamErrorEvent
  | GroupUpdatedEvent
  | MessageReadEvent;

const AGENT_STATUSES = ["connecting", "connected", "reconnecting", "closed"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

export type MessageHandler = (message: DeliveredMessage) => unknown;
export type ArtifactResponseHandler = (answer: ArtifactAnswer) => unknown;
export type EventHandler = (event: AgentEvent) => unknown;
/** @param cause why the agent closed, unless by its own `disconnect()` */
export type StatusHandler = (status: AgentStatus, cause?: AgentError<AgentErrorCode>) => unknown;
