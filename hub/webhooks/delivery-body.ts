import { TOOL_RESPONSE_SUBTYPE } from "../../app/protocol/v1/tool-messages.ts";
import type { WebhookBody } from "../../app/protocol/v1/webhook.ts";
import type { Undelivered, Waiting, WaitingEvent } from "../hub-records.ts";

export interface WrittenDelivery {
  readonly eventId: string;
  readonly createdAt: number;
  readonly body: Uint8Array;
}

/** The bytes that are signed and sent, the same at every attempt. */
export function writeDelivery(waiting: Waiting): WrittenDelivery {
  const isMessage = waiting.kind === "message";
  const body = isMessage ? messageBody(waiting.message) : eventBody(waiting.event);
  return {
    eventId: isMessage ? waiting.message.message_id : waiting.event.event_id,
    createdAt: isMessage ? waiting.message.created_at : waiting.event.created_at,
    body: Buffer.from(JSON.stringify(body), "utf8"),
  };
}

const messageBody = (message: Undelivered): WebhookBody => ({
  type: message.msg_subtype === TOOL_RESPONSE_SUBTYPE ? "artifact_response" : "message.new",
  version: "v1",
  wire_envelope: message.payload,
  metadata: {
    conversation_id: message.conversation_id,
    sender_id: message.sender_id,
    created_at: new Date(message.created_at).toISOString(),
    conversation_type: message.conversation_type,
    conversation_seq: message.conversation_seq,
    message_id: message.message_id,
    sender_type: message.sender_type,
    content_type: message.content_type,
    ...(message.msg_subtype === null ? {} : { msg_subtype: message.msg_subtype }),
  },
});

const eventBody = (event: WaitingEvent) => ({
  type: event.type,
  version: "v1",
  wire_envelope: null,
  metadata: {
    conversation_id: event.conversation_id,
    sender_id: event.sender_id,
    created_at: new Date(event.created_at).toISOString(),
  },
  payload: JSON.parse(event.payload) as unknown,
});
