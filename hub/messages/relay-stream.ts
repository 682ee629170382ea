import type {
  StreamErrorFrame,
  StreamFrame,
  StreamRelayFrame,
} from "../../app/protocol/v1/frames.ts";
import { STREAM_MEMBERS_AT_MOST } from "../../app/protocol/v1/group-frames.ts";
import type { HubParts } from "../hub-parts.ts";
import type { Subject } from "../sessions/session.ts";
import { conversationOf, othersIn } from "./send-message.ts";

/** Nobody is told when a stream has no conversation: there is nothing to resend. */
export function relayStream(parts: HubParts, subject: Subject, frame: StreamFrame): void {
  const conversation = conversationOf(parts, subject, frame.conversation_id);
  if (conversation === undefined) return;
  const { conversation_id, stream_id } = frame;
  const failed = (code: StreamErrorFrame["code"], only?: readonly string[]) => {
    const about = { conversation_id, stream_id, sender_id: subject.id };
    const error: StreamErrorFrame = { type: "stream.error", ...about, code };
    // Those who are in it by then; the sender too, who may not be.
    const members = parts.conversations.find(conversation_id)?.activeMembers ?? [];
    const hearers = only ?? new Set([subject.id, ...members.map(({ member_id }) => member_id)]);
    for (const hearer of hearers) parts.connections.send(hearer, error);
  };
  if (conversation.memberCount > STREAM_MEMBERS_AT_MOST) {
    // One that was begun while the group was smaller ends for everybody.
    if (parts.streams.giveUp(subject.id, frame, "group_too_large")) return;
    if (frame.type === "stream.start") failed("group_too_large", [subject.id]);
    return;
  }
  if (!parts.streams.take(subject.id, frame, failed)) return;
  const relayed: StreamRelayFrame = {
    type: frame.type,
    conversation_id,
    stream_id,
    ...(frame.encrypted_payload === undefined
      ? {}
      : { encrypted_payload: frame.encrypted_payload }),
    sender_id: subject.id,
  };
  const text = JSON.stringify(relayed);
  for (const other of othersIn(conversation, subject)) {
    parts.connections.sendTransient(other, text);
  }
}
