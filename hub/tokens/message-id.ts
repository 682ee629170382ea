import { hash } from "node:crypto";
import type { MessageCreate } from "../../app/protocol/v1/rest.ts";

const ID_CHARS = 22;

/**
 * The same for the same message, so that its recipient and its sender know it by one id even if the hub
 * crashes after delivering it and accepts it again when it is resent. 132 bits.
 */
export function messageId(
  senderId: string,
  outgoing: MessageCreate & { readonly conversation_id: string },
): string {
  const { conversation_id, client_message_id, encrypted_payload } = outgoing;
  const about = JSON.stringify([senderId, conversation_id, client_message_id]);
  return hash("sha256", about + encrypted_payload, "base64url").slice(0, ID_CHARS);
}
