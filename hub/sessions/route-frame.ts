import { assertNever } from "../../app/contract/assert-never.ts";
import type {
  ClientFrame,
  MessageSendFrame,
  StreamFrame,
  StreamRelayFrame,
} from "../../app/protocol/v1/frames.ts";
import type { HubErrorCode } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { errorBody } from "../refusal.ts";
import type { Conversation } from "../storage/conversation-store.ts";
import type { Kept, NewMessage } from "../storage/message-store.ts";
import { newId } from "../tokens/random-text.ts";
import { messageFrame } from "./message-frame.ts";
import type { Session, Subject } from "./session.ts";

/** What each frame of an authenticated connection does. */
export function routeFrame(
  parts: HubParts,
  session: Session,
  subject: Subject,
  frame: ClientFrame,
): void {
  switch (frame.type) {
    case "message.send":
      sendMessage(parts, session, subject, frame);
      break;
    case "message.received":
      parts.commits.add(
        () => parts.messages.received(subject.id, frame.conversation_id, frame.conversation_seq),
        () => undefined,
        () => undefined,
      );
      break;
    case "notice.received":
      if (subject.type !== "human") break;
      parts.commits.add(
        () => parts.notices.received(subject.id, frame.notice_id),
        () => undefined,
        () => undefined,
      );
      break;
    case "stream.start":
    case "stream.delta":
    case "stream.done":
    case "stream.abort":
      relayStream(parts, subject, frame);
      break;
    case "pong":
      break;
    default:
      assertNever(frame);
  }
}

/** `undefined` unless the sender is an active member and there is somebody to hear it. */
function conversationOf(
  parts: HubParts,
  subject: Subject,
  conversationId: string,
): Conversation | undefined {
  const conversation = parts.conversations.find(conversationId);
  if (conversation === undefined || conversation.activeMembers.length < 2) return undefined;
  const isMember = conversation.activeMembers.some((member) => member.member_id === subject.id);
  return isMember ? conversation : undefined;
}

function othersIn(conversation: Conversation, subject: Subject): string[] {
  const others: string[] = [];
  for (const { member_id } of conversation.activeMembers) {
    if (member_id !== subject.id) others.push(member_id);
  }
  return others;
}

function sendMessage(
  parts: HubParts,
  session: Session,
  subject: Subject,
  frame: MessageSendFrame,
): void {
  const conversation = conversationOf(parts, subject, frame.conversation_id);
  if (conversation === undefined) {
    refuse(session, frame, "NOT_A_MEMBER");
    return;
  }
  const message: NewMessage = {
    message_id: newId(parts.random),
    conversation_id: frame.conversation_id,
    sender_id: subject.id,
    sender_type: subject.type,
    client_message_id: frame.client_message_id,
    content_type: frame.content_type,
    msg_subtype: frame.msg_subtype ?? null,
    payload: frame.encrypted_payload,
    created_at: parts.clock.now(),
  };
  parts.commits.add(
    () => parts.messages.keep(message, othersIn(conversation, subject)),
    (kept) => {
      if (kept === "recipient_queue_full") refuse(session, frame, "RECIPIENT_QUEUE_FULL");
      else announce(parts, session, message, kept, conversation);
    },
    () => refuse(session, frame, "INTERNAL"),
  );
}

function announce(
  parts: HubParts,
  session: Session,
  message: NewMessage,
  kept: Kept,
  conversation: Conversation,
): void {
  session.send({
    type: "message.ack",
    client_message_id: message.client_message_id,
    message_id: kept.message_id,
    conversation_id: kept.conversation_id,
    conversation_seq: kept.conversation_seq,
  });
  if (kept.deliveries.length === 0) return;
  const text = messageFrame(message, kept.conversation_seq, conversation.type);
  for (const { recipient_id, delivery_id } of kept.deliveries) {
    parts.connections.offer(recipient_id, delivery_id, text);
  }
}

function refuse(session: Session, frame: MessageSendFrame, code: HubErrorCode): void {
  session.send({
    type: "message.refused",
    client_message_id: frame.client_message_id,
    error: errorBody(code, { conversation_id: frame.conversation_id }),
  });
}

/** Nobody is told when a stream has no conversation: there is nothing to resend. */
function relayStream(parts: HubParts, subject: Subject, frame: StreamFrame): void {
  const conversation = conversationOf(parts, subject, frame.conversation_id);
  if (conversation === undefined) return;
  const relayed: StreamRelayFrame = {
    type: frame.type,
    conversation_id: frame.conversation_id,
    stream_id: frame.stream_id,
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
