import Type from "typebox";
import { Id, Title } from "./fields.ts";

/** Conversations, as REST describes them. */
const Count = Type.Integer({ minimum: 0 });

/** A conversation as one of its members sees it. */
export const ConversationSummary = Type.Object({
  conversation_id: Id,
  type: Type.Union([Type.Literal("h2a"), Type.Literal("group")]),
  title: Type.Union([Title, Type.Null()]),
  owner_id: Id,
  member_count: Count,
  /** The last message's number; 0 before the first. */
  last_seq: Count,
  /** The last message that this member has read. */
  read_seq: Count,
});
export const MemberView = Type.Object({
  member_id: Id,
  member_type: Type.Union([Type.Literal("human"), Type.Literal("agent")]),
  role: Type.Union([Type.Literal("owner"), Type.Literal("member")]),
  /** An agent's. */
  name: Type.Union([Type.String(), Type.Null()]),
  read_seq: Count,
  /**
   * For agents, and told to the owner only (platform: groups). A suspended agent receives nothing.
   */
  status: Type.Optional(Type.Union([Type.Literal("active"), Type.Literal("suspended")])),
});
export const ConversationView = Type.Object({
  ...ConversationSummary.properties,
  members: Type.Array(MemberView),
});
/** How far a member has read. */
export const ReadPosition = Type.Object({ conversation_id: Id, user_id: Id, seq: Count });

export type ConversationSummary = Type.Static<typeof ConversationSummary>;
export type MemberView = Type.Static<typeof MemberView>;
export type ConversationView = Type.Static<typeof ConversationView>;
