import type { MessageNewFrame } from "../../app/protocol/v1/frames.ts";
import type { Undelivered } from "../hub-records.ts";

export const messageFrame = (message: Omit<Undelivered, "delivery_id">): MessageNewFrame => ({
  type: "message.new",
  conversation_id: message.conversation_id,
  conversation_type: message.conversation_type,
  message_id: message.message_id,
  sender_id: message.sender_id,
  sender_type: message.sender_type,
  content_type: message.content_type,
  ...(message.msg_subtype === null ? {} : { msg_subtype: message.msg_subtype }),
  encrypted_payload: message.payload,
  conversation_seq: message.conversation_seq,
  created_at: new Date(message.created_at).toISOString(),
});
