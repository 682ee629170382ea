import Type from "typebox";
import { Id, Title } from "./fields.ts";

/** What REST tells of conversations. */
const Count = Type.Integer({ minimum: 0 });

/** A conversation as one of its members sees it. */
export const ConversationSummary = Type.Object({
  conversation_id: Id,
  type: Type.Union([Type.Literal("h2a"), Type.Literal("group")]),
  title: Type.Union([Title, Type.Null()]),
  owner_id: Id,
  member_count: Count,
  /** The number of its last message; 0 before the first. */
  last_seq: Count,
  /** How far this member has read. */
  read_seq: Count,
});
export const MemberView = Type.Object({
  member_id: Id,
  member_type: Type.Union([Type.Literal("human"), Type.Literal("agent")]),
  role: Type.Union([Type.Literal("owner"), Type.Literal("member")]),
  /** An agent's. */
  name: Type.Union([Type.String(), Type.Null()]),
  read_seq: Count,
  /** An agent's, for the owner only (platform: groups). A suspended one hears nothing. */
  status: Type.Optional(Type.Union([Type.Literal("active"), Type.Literal("suspended")])),
});
export const ConversationView = Type.Object({
  ...ConversationSummary.properties,
  members: Type.Array(MemberView),
});
/** Where a member stands. */
export const ReadPosition = Type.Object({ conversation_id: Id, user_id: Id, seq: Count });

export type ConversationSummary = Type.Static<typeof ConversationSummary>;
export type MemberView = Type.Static<typeof MemberView>;
export type ConversationView = Type.Static<typeof ConversationView>;
