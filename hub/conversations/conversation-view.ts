import type { ConversationView, MemberView } from "../../app/protocol/v1/conversation.ts";
import type { HubParts } from "../hub-parts.ts";
import { Refusal } from "../refusal.ts";
import type { Subject } from "../sessions/session.ts";
import type { Conversation } from "../storage/conversation-store.ts";
import type { MemberRow } from "../storage/member-store.ts";

/** A conversation that this subject may see. @throws Refusal NOT_A_MEMBER, also for none at all */
export function ownConversation(
  parts: HubParts,
  subject: Subject,
  conversation_id: string,
): Conversation {
  const conversation = parts.conversations.find(conversation_id);
  const isIn = conversation?.activeMembers.some(({ member_id }) => member_id === subject.id);
  if (conversation === undefined || isIn !== true) {
    throw new Refusal("NOT_A_MEMBER", { conversation_id });
  }
  return conversation;
}

/** @throws Refusal NOT_A_MEMBER */
export function conversationView(
  parts: HubParts,
  subject: Subject,
  conversation_id: string,
): ConversationView {
  const { ownerId } = ownConversation(parts, subject, conversation_id);
  const [summary] = parts.members.conversationsOf(subject.id, conversation_id);
  if (summary === undefined) throw new Refusal("NOT_A_MEMBER", { conversation_id });
  const isOwner = ownerId === subject.id;
  const members = parts.members
    .of(conversation_id)
    .map((member) => memberView(member, ownerId, isOwner));
  return { ...summary, members };
}

const memberView = (
  { status, ...member }: MemberRow,
  ownerId: string,
  isForOwner: boolean,
): MemberView => ({
  ...member,
  role: member.member_id === ownerId ? "owner" : "member",
  // A revoked one is in no group, and its conversation of two is shown to nobody.
  ...(isForOwner && (status === "active" || status === "suspended") ? { status } : {}),
});
