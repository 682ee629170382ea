import type { ConversationView, MemberView } from "../../app/protocol/v1/conversation.ts";
import type { GroupUpdatedFrame, ServerFrame } from "../../app/protocol/v1/frames.ts";
import type { Conversation, MemberStanding, WithMembers } from "../hub-records.ts";

type GroupFacts = Omit<Conversation, "type" | "activeMembers">;
export type GroupChanged = Pick<GroupUpdatedFrame["payload"], "change" | "member_ids" | "by">;

export const groupFrame = (
  { conversation_id, title, ownerId: owner_id, memberCount: member_count }: GroupFacts,
  changed: GroupChanged,
): GroupUpdatedFrame => ({
  type: "group.updated",
  payload: { conversation_id, ...changed, title, owner_id, member_count },
});

/** The state of this member's conversations: its groups, and how far everybody has read. */
export function* conversationFrames(
  memberId: string,
  conversations: readonly WithMembers[],
): Generator<ServerFrame> {
  for (const { summary, members } of conversations) {
    const { conversation_id, title, owner_id: ownerId, member_count: memberCount } = summary;
    if (summary.type === "group") {
      const group = { conversation_id, title, ownerId, memberCount };
      yield groupFrame(group, { change: "current", member_ids: [], by: null });
    }
    for (const { member_id: user_id, member_type, read_seq: seq } of members) {
      // A person may have read on another device; an agent knows what it has read.
      const isNews = user_id !== memberId || member_type === "human";
      if (seq > 0 && isNews) yield { type: "message.read", conversation_id, user_id, seq };
    }
  }
}

/** The conversation as this member sees it. */
export function conversationView(
  memberId: string,
  { summary, members }: WithMembers,
): ConversationView {
  const isOwner = summary.owner_id === memberId;
  return {
    ...summary,
    members: members.map((each) => memberView(each, summary.owner_id, isOwner)),
  };
}

const memberView = (
  { status, ...member }: MemberStanding,
  ownerId: string,
  isForOwner: boolean,
): MemberView => ({
  ...member,
  role: member.member_id === ownerId ? "owner" : "member",
  // A revoked relation's agent is in no group, and its conversation of two is not shown.
  ...(isForOwner && (status === "active" || status === "suspended") ? { status } : {}),
});
