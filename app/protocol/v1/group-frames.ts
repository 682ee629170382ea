import Type from "typebox";
import { Id, Seq, Title } from "./fields.ts";

/** Platform: people and agents together. */
export const GROUP_MEMBERS_AT_MOST = 500;
/** Platform: in larger groups nothing is shown while it is written. */
export const STREAM_MEMBERS_AT_MOST = 200;

/** The sender has read the conversation up to this number. It never goes back. */
export const MessageReadFrame = Type.Object({
  type: Type.Literal("message.read"),
  conversation_id: Id,
  seq: Seq,
});

/** How far a member has read; at each connect again for everybody who has read anything. */
export const MessageReadRelayFrame = Type.Object({
  ...MessageReadFrame.properties,
  /** The member's: a person's id or an agent's. */
  user_id: Id,
});

const GroupChange = Type.Union([
  /** Nothing changed: this is how it stands, told at connect. */
  Type.Literal("current"),
  Type.Literal("created"),
  Type.Literal("renamed"),
  Type.Literal("members_added"),
  /** Also who left. They hear this, and then nothing more. */
  Type.Literal("members_removed"),
  /** Its owner left: nobody is a member any more. */
  Type.Literal("ended"),
]);

/**
 * A group was made or changed. To its members; also to who ceased to be one, except an agent whose
 * relation was revoked, which hears that.
 */
export const GroupUpdatedFrame = Type.Object({
  type: Type.Literal("group.updated"),
  payload: Type.Object({
    conversation_id: Id,
    change: GroupChange,
    title: Type.Union([Title, Type.Null()]),
    owner_id: Id,
    member_count: Type.Integer({ minimum: 0 }),
    /** Whom the change is about. */
    member_ids: Type.Array(Id),
    /** Who did it. */
    by: Type.Union([Id, Type.Null()]),
  }),
});

export type MessageReadFrame = Type.Static<typeof MessageReadFrame>;
export type MessageReadRelayFrame = Type.Static<typeof MessageReadRelayFrame>;
export type GroupUpdatedFrame = Type.Static<typeof GroupUpdatedFrame>;
