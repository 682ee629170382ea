import { assertNever } from "../../app/contract/assert-never.ts";
import type { MessageStore } from "../storage/message-store.ts";
import type { Waiting, WebhookStore } from "../storage/webhook-store.ts";

/** A webhook agent's 2xx is its `message.received`. Must run inside a transaction. */
export function settleDelivery(
  messages: MessageStore,
  webhooks: WebhookStore,
  agentId: string,
  waiting: Waiting,
): void {
  switch (waiting.kind) {
    case "message": {
      const { conversation_id, conversation_seq } = waiting.message;
      messages.received(agentId, conversation_id, conversation_seq);
      break;
    }
    case "event":
      webhooks.eventDone(waiting.event.event_row);
      break;
    default:
      assertNever(waiting);
  }
}
