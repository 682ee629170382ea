import { assertNever } from "../app/contract/assert-never.ts";
import type { Inbox } from "../app/protocol/link/inbox.ts";
import type { ServerFrame } from "../app/protocol/v1/frames.ts";
import type { Mail } from "./encryption/mail.ts";
import type { MessageDelivery } from "./message-delivery.ts";
import type { SealedOutbox } from "./sealed-outbox.ts";

export interface FrameReceivers {
  readonly inbox: Inbox;
  readonly outbox: SealedOutbox;
  readonly mail: () => Mail;
  readonly delivery: MessageDelivery;
}

/** Passes a frame from the hub to the part of the agent that handles it. */
export function routeFrame(
  { inbox, outbox, delivery, mail }: FrameReceivers,
  frame: ServerFrame,
): void {
  mail().heard(frame);
  switch (frame.type) {
    case "message.new":
      inbox.accept(frame);
      break;
    case "message.ack":
      inbox.note(frame.conversation_id, frame.conversation_seq);
      outbox.acked(frame.client_message_id, {
        message_id: frame.message_id,
        conversation_seq: frame.conversation_seq,
      });
      break;
    case "message.refused":
      outbox.refused(frame.client_message_id, frame.error.code, frame.error.params);
      break;
    case "frame.error":
      void delivery.events.call({ type: frame.type, payload: frame.error });
      break;
    case "relation.established":
    case "relation.updated":
    case "relation.suspended":
    case "relation.restored":
    case "relation.revoked":
    case "h2a.reauth_required":
    case "agent.manifest_changed":
    case "agent.capability_changed":
      void delivery.events.call(frame);
      break;
    case "group.updated":
      delivery.groupUpdated(frame);
      break;
    case "message.read":
      delivery.markRead(frame);
      break;
    case "stream.error":
      delivery.streamFailed(frame);
      break;
    // Handled by the mail.
    case "keys.changed":
    case "prekeys.low":
    // Handled by the connection, or sent to a person's client only.
    case "auth.ok":
    case "auth.error":
    case "ping":
    case "agent.presence":
    case "pairing.requested":
    case "pairing.closed":
    // An agent does not show what others stream; the whole text follows as a message.
    case "stream.start":
    case "stream.delta":
    case "stream.done":
    case "stream.abort":
    case "typing.start":
    case "typing.stop":
      break;
    default:
      assertNever(frame);
  }
}
