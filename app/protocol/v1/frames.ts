import Type from "typebox";
import { guardOf } from "../../contract/checked.ts";
import { BreakingChangeSchema, Id, SealedPayload, Seq, Timestamp } from "./fields.ts";
import { Base64Card, EncryptionLevelWord } from "./key-rest.ts";
import {
  GroupUpdatedFrame,
  KeysChangedFrame,
  MessageReadFrame,
  MessageReadRelayFrame,
  PrekeysLowFrame,
  StreamErrorFrame,
  StreamFrame,
  StreamRelayFrame,
  TypingFrame,
  TypingRelayFrame,
} from "./relayed-frames.ts";

export {
  GroupUpdatedFrame,
  MessageReadRelayFrame,
  StreamErrorFrame,
  StreamFrame,
  StreamRelayFrame,
  TypingFrame,
  TypingRelayFrame,
};

/**
 * WebSocket frames of protocol v1: one JSON object per text frame, discriminated by `type`. Used on
 * both `/ws/agent` and `/ws/human`; each says who may send it.
 */

const ConversationType = Type.Union([
  Type.Literal("h2h"),
  Type.Literal("h2a"),
  Type.Literal("group"),
]);
const SenderType = Type.Union([
  Type.Literal("human"),
  Type.Literal("agent"),
  Type.Literal("system"),
]);

/** First frame of every connection, within 5 s. `agent_id` is required on `/ws/agent` only. */
export const AuthFrame = Type.Object({
  type: Type.Literal("auth"),
  agent_id: Type.Optional(Id),
  token: Type.String({ maxLength: 4096 }),
});

/** `client_message_id` makes it safe to resend after a reconnect: the hub keeps the first copy. */
export const MessageSendFrame = Type.Object({
  type: Type.Literal("message.send"),
  client_message_id: Id,
  conversation_id: Id,
  content_type: Type.Union([Type.Literal("text"), Type.Literal("artifact")]),
  msg_subtype: Type.Optional(Type.String({ maxLength: 64 })),
  encrypted_payload: SealedPayload,
});

/** The receiver is done with this message; it will not be delivered again. */
const MessageReceivedFrame = Type.Object({
  type: Type.Literal("message.received"),
  conversation_id: Id,
  conversation_seq: Seq,
});

/** The person's client has durably done what this notice asks; it will not be sent again. */
const NoticeReceivedFrame = Type.Object({
  type: Type.Literal("notice.received"),
  notice_id: Id,
});

/** The person's client stops storing this agent's messages, or resumes. */
const HistoryFullFrame = Type.Object({
  type: Type.Literal("history.full"),
  agent_id: Id,
  full: Type.Boolean(),
});

const PongFrame = Type.Object({ type: Type.Literal("pong") });

export const ClientFrame = Type.Union([
  MessageSendFrame,
  MessageReceivedFrame,
  MessageReadFrame,
  NoticeReceivedFrame,
  HistoryFullFrame,
  StreamFrame,
  TypingFrame,
  PongFrame,
]);
export type ClientFrame = Type.Static<typeof ClientFrame>;
export type AuthFrame = Type.Static<typeof AuthFrame>;
export type MessageSendFrame = Type.Static<typeof MessageSendFrame>;

const AuthOkFrame = Type.Object({
  type: Type.Literal("auth.ok"),
  /** The agent id or user id this connection now speaks for. */
  subject_id: Id,
});
export const AuthErrorFrame = Type.Object({
  type: Type.Literal("auth.error"),
  reason: Type.Union([
    Type.Literal("invalid_token"),
    Type.Literal("auth_timeout"),
    Type.Literal("malformed_frame"),
    /** The agent is a webhook agent: the hub calls it. */
    Type.Literal("webhook_mode"),
    /** The person has removed the agent. */
    Type.Literal("agent_removed"),
  ]),
  message: Type.String(),
  i18n_key: Type.String(),
});
export const MessageNewFrame = Type.Object({
  type: Type.Literal("message.new"),
  conversation_id: Id,
  conversation_type: ConversationType,
  message_id: Id,
  sender_id: Id,
  sender_type: SenderType,
  content_type: Type.Union([Type.Literal("text"), Type.Literal("artifact")]),
  msg_subtype: Type.Optional(Type.String()),
  encrypted_payload: Type.String(),
  conversation_seq: Seq,
  created_at: Timestamp,
});
/** The hub has stored the message durably. */
export const MessageAckFrame = Type.Object({
  type: Type.Literal("message.ack"),
  client_message_id: Id,
  message_id: Id,
  conversation_id: Id,
  conversation_seq: Seq,
});
const ErrorBody = Type.Object({
  code: Type.String(),
  message: Type.String(),
  i18n_key: Type.String(),
  params: Type.Record(Type.String(), Type.Unknown()),
});
/** The hub does not accept this message. */
const MessageRefusedFrame = Type.Object({
  type: Type.Literal("message.refused"),
  client_message_id: Id,
  error: ErrorBody,
});
/**
 * A frame the hub could not read (`unknown_frame`, `malformed_frame`). The connection stays open.
 */
const FrameErrorFrame = Type.Object({ type: Type.Literal("frame.error"), error: ErrorBody });
const PingFrame = Type.Object({ type: Type.Literal("ping") });

/** To the person: an agent's last connection closed, or its first one opened. */
const AgentPresenceFrame = Type.Object({
  type: Type.Literal("agent.presence"),
  agent_id: Id,
  online: Type.Boolean(),
});
export const PairingRequestedFrame = Type.Object({
  type: Type.Literal("pairing.requested"),
  payload: Type.Object({
    pairing_id: Id,
    code: Type.String(),
    name: Type.String(),
    capability_manifest: Type.Unknown(),
    capability_manifest_hash: Type.String(),
    /**
     * As sent by the agent. Without it, nothing can be encrypted for the agent (docs/encryption.md,
     * "Pairing").
     */
    identity_card: Type.Optional(Base64Card),
    encryption: Type.Optional(EncryptionLevelWord),
    expires_at: Timestamp,
  }),
});
const PairingClosedFrame = Type.Object({
  type: Type.Literal("pairing.closed"),
  payload: Type.Object({
    pairing_id: Id,
    outcome: Type.Union([
      Type.Literal("accepted"),
      Type.Literal("refused"),
      Type.Literal("expired"),
      Type.Literal("withdrawn"),
    ]),
  }),
});
/**
 * To the agent (and the person): the relation, its granted scopes, and how the agent is reached.
 */
export const RelationFrame = Type.Object({
  type: Type.Union([
    Type.Literal("relation.established"),
    Type.Literal("relation.updated"),
    Type.Literal("relation.suspended"),
    Type.Literal("relation.restored"),
    Type.Literal("relation.revoked"),
  ]),
  payload: Type.Object({
    relation_id: Id,
    agent_id: Id,
    user_id: Id,
    conversation_id: Id,
    granted_scopes: Type.Array(Type.String()),
    status: Type.Union([
      Type.Literal("active"),
      Type.Literal("suspended"),
      Type.Literal("revoked"),
    ]),
    /** How the hub reaches the agent. */
    connection_mode: Type.Union([Type.Literal("websocket"), Type.Literal("webhook")]),
  }),
});
/** To the person, again at every connect until `notice.received` names its `notice_id`. */
export const ReauthRequiredFrame = Type.Object({
  type: Type.Literal("h2a.reauth_required"),
  payload: Type.Object({
    notice_id: Id,
    agent_id: Id,
    new_manifest_version: Type.Integer(),
    new_manifest_hash: Type.String(),
    scopes_requiring_reauth: Type.Array(Type.String()),
    /** The first `BREAKING_CHANGES_TOLD` of them. */
    breaking_changes: Type.Array(BreakingChangeSchema),
  }),
});
/** To the person: the manifest changed, so the client fetches it and ends its quiet periods. */
export const ManifestChangedFrame = Type.Object({
  type: Type.Literal("agent.manifest_changed"),
  payload: Type.Object({
    agent_id: Id,
    capability_manifest_version: Type.Integer(),
    capability_manifest_hash: Type.String(),
  }),
});
/**
 * To the agent: the person's answer to a breaking manifest; the last answer is repeated at every
 * connect.
 */
export const CapabilityChangedFrame = Type.Object({
  type: Type.Literal("agent.capability_changed"),
  payload: Type.Object({
    relation_id: Id,
    agent_id: Id,
    user_id: Id,
    capability_manifest_version: Type.Integer(),
    /** True if everything that had to be asked again was granted. */
    accepted: Type.Boolean(),
    granted_scopes: Type.Array(Type.String()),
  }),
});
export const ServerFrame = Type.Union([
  KeysChangedFrame,
  PrekeysLowFrame,
  AuthOkFrame,
  AuthErrorFrame,
  MessageNewFrame,
  MessageAckFrame,
  MessageRefusedFrame,
  MessageReadRelayFrame,
  GroupUpdatedFrame,
  FrameErrorFrame,
  PingFrame,
  AgentPresenceFrame,
  PairingRequestedFrame,
  PairingClosedFrame,
  RelationFrame,
  ReauthRequiredFrame,
  ManifestChangedFrame,
  CapabilityChangedFrame,
  StreamRelayFrame,
  StreamErrorFrame,
  TypingRelayFrame,
]);
export type AuthErrorFrame = Type.Static<typeof AuthErrorFrame>;
/** Why the hub refuses a well-formed, timely request for access. Retrying does not help. */
export type NotLetIn = Exclude<AuthErrorFrame["reason"], "auth_timeout" | "malformed_frame">;
export type ServerFrame = Type.Static<typeof ServerFrame>;
export type MessageNewFrame = Type.Static<typeof MessageNewFrame>;
export type PairingRequestedFrame = Type.Static<typeof PairingRequestedFrame>;
export type RelationFrame = Type.Static<typeof RelationFrame>;
export type ReauthRequiredFrame = Type.Static<typeof ReauthRequiredFrame>;
export type ManifestChangedFrame = Type.Static<typeof ManifestChangedFrame>;
export type CapabilityChangedFrame = Type.Static<typeof CapabilityChangedFrame>;

export const isAuthFrame = guardOf(AuthFrame);
export const isClientFrame = guardOf(ClientFrame);
export const isServerFrame = guardOf(ServerFrame);

/** WebSocket frames larger than this close the connection with 1009. */
export const MAX_FRAME_BYTES = 2_097_152;
/** How many messages may wait for one recipient in one conversation; the next is refused. */
export const UNDELIVERED_AT_MOST = 1_000;
export const AUTH_DEADLINE_MS = 5_000;
export const PING_INTERVAL_MS = 30_000;
export const DEAD_AFTER_MS = 90_000;
