import type { HubErrorCode, MessageCreate } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { messageFrame } from "../lines/message-frame.ts";
import type { Subject } from "../sessions/session.ts";
import type { Conversation } from "../storage/conversation-store.ts";
import type { Kept, MessageReceipt, NewMessage, NotKept } from "../storage/message-store.ts";
import { newId } from "../tokens/random-text.ts";
import { admission, takeBack } from "./admission.ts";

export interface OutgoingMessage extends MessageCreate {
  readonly conversation_id: string;
}

/** Exactly one of them is called, once, after the commit. */
export interface SendOutcome {
  sent(receipt: MessageReceipt): void;
  refused(code: HubErrorCode, params: Readonly<Record<string, unknown>>): void;
}

/** Takes a message from a member of its conversation, however it came in. */
export function sendMessage(
  parts: HubParts,
  subject: Subject,
  outgoing: OutgoingMessage,
  outcome: SendOutcome,
): void {
  const { conversation_id } = outgoing;
  const conversation = conversationOf(parts, subject, conversation_id);
  if (conversation === undefined) {
    outcome.refused("NOT_A_MEMBER", { conversation_id });
    return;
  }
  const message = newMessage(parts, subject, outgoing);
  const others = othersIn(conversation, subject);
  parts.commits.add(
    () => parts.messages.keep(message, others, admission(parts, message, others)),
    (kept) => {
      if ("refused" in kept) refuse(kept, conversation_id, outcome);
      else announce(parts, message, kept, conversation, outcome);
    },
    () => {
      takeBack(parts.limits, message);
      outcome.refused("INTERNAL", { conversation_id });
    },
  );
}

/** `undefined` unless the sender is an active member and there is somebody to hear it. */
export function conversationOf(
  parts: HubParts,
  subject: Subject,
  conversationId: string,
): Conversation | undefined {
  const conversation = parts.conversations.find(conversationId);
  if (conversation === undefined || conversation.activeMembers.length < 2) return undefined;
  const isMember = conversation.activeMembers.some((member) => member.member_id === subject.id);
  return isMember ? conversation : undefined;
}

export function othersIn(conversation: Conversation, subject: Subject): string[] {
  const others: string[] = [];
  for (const { member_id } of conversation.activeMembers) {
    if (member_id !== subject.id) others.push(member_id);
  }
  return others;
}

const newMessage = (parts: HubParts, subject: Subject, outgoing: OutgoingMessage): NewMessage => ({
  message_id: newId(parts.random),
  conversation_id: outgoing.conversation_id,
  sender_id: subject.id,
  sender_type: subject.type,
  client_message_id: outgoing.client_message_id,
  content_type: outgoing.content_type,
  msg_subtype: outgoing.msg_subtype ?? null,
  payload: outgoing.encrypted_payload,
  created_at: parts.clock.now(),
});

function refuse(notKept: NotKept, conversation_id: string, outcome: SendOutcome): void {
  const { refused } = notKept;
  if (refused !== "RATE_LIMITED") {
    outcome.refused(refused, { conversation_id });
    return;
  }
  const { retryAfterMs } = notKept;
  outcome.refused(refused, {
    conversation_id,
    retry_after: Math.ceil(retryAfterMs / 1_000),
    retry_after_ms: retryAfterMs,
  });
}

function announce(
  parts: HubParts,
  message: NewMessage,
  { deliveries, ...receipt }: Kept,
  conversation: Conversation,
  outcome: SendOutcome,
): void {
  outcome.sent(receipt);
  if (deliveries.length === 0) return;
  const text = messageFrame(message, receipt.conversation_seq, conversation.type);
  for (const { recipient_id, delivery_id } of deliveries) {
    parts.connections.offer(recipient_id, delivery_id, text);
    parts.webhooks.wake(recipient_id, receipt.conversation_id);
  }
}
