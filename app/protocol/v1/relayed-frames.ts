import Type from "typebox";
import { Id, SealedPayload, Seq, Title } from "./fields.ts";

/** Platform: people and agents together. */
export const GROUP_MEMBERS_AT_MOST = 500;
/** Platform: in larger groups, messages are not streamed while they are written. */
export const STREAM_MEMBERS_AT_MOST = 200;

/** The sender has read the conversation up to this number, which never goes back. */
export const MessageReadFrame = Type.Object({
  type: Type.Literal("message.read"),
  conversation_id: Id,
  seq: Seq,
});

/** How far a member has read. Repeated at each connect for every member who has read anything. */
export const MessageReadRelayFrame = Type.Object({
  ...MessageReadFrame.properties,
  /** The member: a person's id or an agent's. */
  user_id: Id,
});

const GroupChange = Type.Union([
  /** Nothing changed: the current state, sent at connect. */
  Type.Literal("current"),
  Type.Literal("created"),
  Type.Literal("renamed"),
  Type.Literal("members_added"),
  /** Includes members who left. They get this frame, and nothing after it. */
  Type.Literal("members_removed"),
  /** Its owner left, so nobody is a member any longer. */
  Type.Literal("ended"),
]);

/**
 * A group was created or changed. Sent to its members, and to those who are no longer members,
 * except an agent whose relation was revoked: it is told of that instead.
 */
export const GroupUpdatedFrame = Type.Object({
  type: Type.Literal("group.updated"),
  payload: Type.Object({
    conversation_id: Id,
    change: GroupChange,
    title: Type.Union([Title, Type.Null()]),
    owner_id: Id,
    member_count: Type.Integer({ minimum: 0 }),
    /** The members the change concerns. */
    member_ids: Type.Array(Id),
    /** Who did it. */
    by: Type.Union([Id, Type.Null()]),
  }),
});

export type MessageReadFrame = Type.Static<typeof MessageReadFrame>;
export type MessageReadRelayFrame = Type.Static<typeof MessageReadRelayFrame>;
export type GroupUpdatedFrame = Type.Static<typeof GroupUpdatedFrame>;

/** Frames that are relayed at once and never stored. Stream frames go to the other members. */
export const StreamFrame = Type.Object({
  type: Type.Union([
    Type.Literal("stream.start"),
    Type.Literal("stream.delta"),
    Type.Literal("stream.done"),
    Type.Literal("stream.abort"),
  ]),
  conversation_id: Id,
  stream_id: Id,
  encrypted_payload: Type.Optional(SealedPayload),
});

/** "Is writing …": disappears 5 s after the last `typing.start`. */
export const TypingFrame = Type.Object({
  type: Type.Union([Type.Literal("typing.start"), Type.Literal("typing.stop")]),
  conversation_id: Id,
});

/** A stream frame as relayed: the sender's, plus the sender's id. */
export const StreamRelayFrame = Type.Object({
  ...StreamFrame.properties,
  sender_id: Id,
});

/** A typing frame as relayed. */
export const TypingRelayFrame = Type.Object({ ...TypingFrame.properties, sender_id: Id });

/** A stream was ended by somebody other than its sender; the sender is told too. */
export const StreamErrorFrame = Type.Object({
  type: Type.Literal("stream.error"),
  conversation_id: Id,
  stream_id: Id,
  sender_id: Id,
  code: Type.Union([
    /** 30 s without a delta. */
    Type.Literal("orphaned"),
    /** Longer than 5 minutes. */
    Type.Literal("too_long"),
    /** The sender already has 64 open streams. */
    Type.Literal("too_many"),
    /** The group has more than `STREAM_MEMBERS_AT_MOST` members. */
    Type.Literal("group_too_large"),
    /** The sender's manifest says `supports_streaming: false`. */
    Type.Literal("streaming_unsupported"),
  ]),
});

export type StreamFrame = Type.Static<typeof StreamFrame>;
export type TypingFrame = Type.Static<typeof TypingFrame>;
export type StreamRelayFrame = Type.Static<typeof StreamRelayFrame>;
export type TypingRelayFrame = Type.Static<typeof TypingRelayFrame>;
export type StreamErrorFrame = Type.Static<typeof StreamErrorFrame>;

/**
 * To everybody who shares a conversation with an owner: the identity that the owner has published,
 * whenever it changes and after each `auth.ok`. The key id is base64.
 */
export const KeysChangedFrame = Type.Object({
  type: Type.Literal("keys.changed"),
  owner_id: Id,
  key_id: Type.String({ maxLength: 44 }),
});

/** To an owner that has published prekeys and has fewer than 20 one-time ones left. */
export const PrekeysLowFrame = Type.Object({
  type: Type.Literal("prekeys.low"),
  one_time_left: Type.Integer({ minimum: 0 }),
});
export type KeysChangedFrame = Type.Static<typeof KeysChangedFrame>;
