import type { MessageReadRelayFrame } from "../../app/protocol/v1/frames.ts";
import type { HubParts } from "../hub-parts.ts";
import type { Session, Subject } from "../sessions/session.ts";

/** One of them is called, once; `kept` after the commit. */
export interface MarkOutcome {
  kept(seq: number): void;
  refused(code: "NOT_A_MEMBER" | "INTERNAL"): void;
}

/**
 * How far somebody has read: kept, told to the others, and never taken back. It says nothing of what
 * is delivered: a message waits until it is reported received, read or not.
 * @param session where it came from; a person's other connections hear of it too
 */
export function markRead(
  parts: HubParts,
  subject: Subject,
  mark: { readonly conversation_id: string; readonly seq: number },
  outcome: MarkOutcome,
  session?: Session,
): void {
  const { conversation_id } = mark;
  const members = parts.conversations.find(conversation_id)?.activeMembers ?? [];
  if (!members.some(({ member_id }) => member_id === subject.id)) {
    outcome.refused("NOT_A_MEMBER");
    return;
  }
  parts.commits.add(
    () => parts.members.read(conversation_id, subject.id, mark.seq),
    ({ seq, hasMoved }) => {
      outcome.kept(seq);
      if (!hasMoved) return;
      const frame: MessageReadRelayFrame = {
        type: "message.read",
        conversation_id,
        user_id: subject.id,
        seq,
      };
      const text = JSON.stringify(frame);
      for (const { member_id } of members) {
        parts.connections.sendText(member_id, text, session);
      }
    },
    () => outcome.refused("INTERNAL"),
  );
}
