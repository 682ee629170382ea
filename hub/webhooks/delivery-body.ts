import { TOOL_RESPONSE_SUBTYPE } from "../../app/protocol/v1/tool-messages.ts";
import type { WebhookBody } from "../../app/protocol/v1/webhook.ts";
import type { Undelivered, Waiting, WaitingEvent } from "../hub-records.ts";
import { messageFrame } from "../lines/message-frame.ts";

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

function messageBody(message: Undelivered): WebhookBody {
  const { type, encrypted_payload: wire_envelope, ...metadata } = messageFrame(message);
  const isAnswer = message.msg_subtype === TOOL_RESPONSE_SUBTYPE;
  return { type: isAnswer ? "artifact_response" : type, version: "v1", wire_envelope, metadata };
}

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
