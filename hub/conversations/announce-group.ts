import type { GroupUpdatedFrame, ServerFrame } from "../../app/protocol/v1/frames.ts";
import type { HubParts } from "../hub-parts.ts";

type Payload = GroupUpdatedFrame["payload"];
type Change = Pick<Payload, "change" | "member_ids" | "by">;

/**
 * Tells everybody in the group who is active and there; the others learn at their next connect how
 * it stands.
 * @param besides who is not a member any more and hears it for the last time
 */
export function announceGroup(
  parts: HubParts,
  conversationId: string,
  change: Change,
  besides: readonly string[] = [],
): void {
  const group = parts.conversations.find(conversationId);
  if (group === undefined) return;
  const frame: GroupUpdatedFrame = {
    type: "group.updated",
    payload: {
      conversation_id: conversationId,
      ...change,
      title: group.title,
      owner_id: group.ownerId,
      member_count: group.memberCount,
    },
  };
  const text = JSON.stringify(frame);
  const members = group.activeMembers.map(({ member_id }) => member_id);
  for (const hearer of [...members, ...besides]) parts.connections.sendText(hearer, text);
}

/** How this member's conversations stand: its groups, and how far everybody has read. */
export function* conversationStanding(parts: HubParts, memberId: string): Generator<ServerFrame> {
  for (const summary of parts.members.conversationsOf(memberId)) {
    const { conversation_id, title, owner_id, member_count } = summary;
    if (summary.type === "group") {
      yield {
        type: "group.updated",
        payload: {
          conversation_id,
          change: "current",
          title,
          owner_id,
          member_count,
          member_ids: [],
          by: null,
        },
      };
    }
    for (const { member_id: user_id, member_type, read_seq: seq } of parts.members.of(
      conversation_id,
    )) {
      // A person may have read on another device; an agent knows what it has read.
      const isNews = user_id !== memberId || member_type === "human";
      if (seq > 0 && isNews) yield { type: "message.read", conversation_id, user_id, seq };
    }
  }
}
