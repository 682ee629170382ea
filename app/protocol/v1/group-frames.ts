import Type from "typebox";
import { Id, Seq, Title } from "./fields.ts";

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
