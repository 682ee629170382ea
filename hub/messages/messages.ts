import { hash } from "node:crypto";
import { mayStream } from "../../app/contract/manifest.ts";
import type {
  StreamErrorFrame,
  StreamFrame,
  StreamRelayFrame,
  TypingFrame,
  TypingRelayFrame,
} from "../../app/protocol/v1/frames.ts";
import { STREAM_MEMBERS_AT_MOST } from "../../app/protocol/v1/relayed-frames.ts";
import type { MessageCreate } from "../../app/protocol/v1/rest.ts";
import { isUnavailable, refusal } from "../hub-error.ts";
import type { Clock, HubEvent } from "../hub-options.ts";
import type { Conversation, Kept, MessageReceipt, NewMessage, Subject } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { retryAfter } from "../limits/agent-limits.ts";
import type { Connections } from "../lines/connections.ts";
import { messageFrame } from "../lines/delivery-feed.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { admissionOf } from "./admission.ts";
import type { OpenStreams } from "./open-streams.ts";

export interface OutgoingMessage extends MessageCreate {
  readonly conversation_id: string;
}

export interface MessagesParts {
  readonly storage: Pick<HubStorage, "acceptMessage" | "agent" | "conversation">;
  readonly connections: Connections;
  readonly webhooks: Webhooks;
  readonly streams: OpenStreams;
  readonly clock: Clock;
  readonly count: (event: HubEvent) => void;
}

/** Messages between members, which are stored, and stream parts, which are not. */
export class Messages {
  readonly #parts: MessagesParts;

  constructor(parts: MessagesParts) {
    this.#parts = parts;
  }

  /**
   * Accepts a message from a member of its conversation, or a resend, over WebSocket or REST.
   * @throws Refusal NOT_A_MEMBER, VOICE_UNSUPPORTED, VOICE_TOO_LARGE, RATE_LIMITED, HISTORY_FULL,
   *   RECIPIENT_QUEUE_FULL, INTERNAL
   */
  async send(subject: Subject, outgoing: OutgoingMessage): Promise<MessageReceipt> {
    const { storage, count } = this.#parts;
    const { conversation_id } = outgoing;
    const message = this.#newMessage(subject, outgoing);
    const notKept = (error: unknown) => {
      throw isUnavailable(error) ? error : refusal("INTERNAL", { conversation_id });
    };
    const kept = await storage.acceptMessage(message, admissionOf(message)).catch(notKept);
    if ("refused" in kept) {
      count("message_refused");
      const more = kept.refused === "RATE_LIMITED" ? retryAfter(kept.retryAfterMs) : {};
      throw refusal(kept.refused, { conversation_id, ...more });
    }
    count("message");
    this.#deliver(message, kept);
    const { connections } = this.#parts;
    const mayBeReported = kept.deliveries.every((each) =>
      connections.isConnected(each.recipient_id),
    );
    await kept.safe(mayBeReported).catch(notKept);
    return kept.receipt;
  }

  /** To whoever is connected at once, before it is durable: the sender is not told until it is safe. */
  #deliver(message: NewMessage, { receipt, deliveries, conversation_type }: Kept): void {
    if (conversation_type === null) return;
    const { connections, webhooks } = this.#parts;
    const { conversation_id, conversation_seq } = receipt;
    // Once for all its receivers.
    const text = JSON.stringify(messageFrame({ ...message, conversation_seq, conversation_type }));
    for (const { recipient_id, delivery_id, nodes } of deliveries) {
      connections.offer(recipient_id, delivery_id, text, nodes);
      webhooks.wake(recipient_id, conversation_id);
    }
  }

  /** A stream without a conversation is ignored: there is nothing to resend. */
  async relayStream(subject: Subject, frame: StreamFrame): Promise<void> {
    const { connections, streams } = this.#parts;
    const { type, conversation_id, stream_id, encrypted_payload } = frame;
    const conversation = await this.#heardIn(subject, conversation_id);
    if (conversation === undefined) return;
    const error = (code: StreamErrorFrame["code"]): StreamErrorFrame => {
      const about = { conversation_id, stream_id, sender_id: subject.id };
      return { type: "stream.error", ...about, code };
    };
    const failed = (code: StreamErrorFrame["code"]) => {
      this.#failStream(error(code)).catch(() => undefined);
    };
    if (conversation.memberCount > STREAM_MEMBERS_AT_MOST) {
      // A stream that started while the group was smaller ends for everybody.
      if (streams.giveUp(subject.id, frame, "group_too_large")) return;
      if (type === "stream.start") connections.send(subject.id, error("group_too_large"));
      return;
    }
    const allowed = streams.take(subject.id, frame, failed, () => this.#mayStream(subject));
    // All of its frames wait for the same promise, so none overtakes another.
    if (allowed === null || !(await allowed)) {
      const isRefused = allowed !== null && type === "stream.start";
      if (!isRefused || streams.giveUp(subject.id, frame, "streaming_unsupported")) return;
      connections.send(subject.id, error("streaming_unsupported"));
      return;
    }
    const payload = encrypted_payload === undefined ? {} : { encrypted_payload };
    const ids = { conversation_id, stream_id, ...payload, sender_id: subject.id };
    this.#relay(subject, conversation, { type, ...ids });
  }

  async relayTyping(subject: Subject, { type, conversation_id }: TypingFrame): Promise<void> {
    const conversation = await this.#heardIn(subject, conversation_id);
    if (conversation === undefined) return;
    this.#relay(subject, conversation, { type, conversation_id, sender_id: subject.id });
  }

  /** `undefined` unless the sender is an active member and there is somebody to hear it. */
  async #heardIn({ id }: Subject, conversationId: string): Promise<Conversation | undefined> {
    const conversation = await this.#parts.storage.conversation(conversationId);
    const members = conversation?.activeMembers ?? [];
    return members.length > 1 && members.some(({ member_id }) => member_id === id)
      ? conversation
      : undefined;
  }

  async #mayStream({ type, id }: Subject): Promise<boolean> {
    const agent = type === "agent" ? await this.#parts.storage.agent(id) : undefined;
    return agent === undefined || mayStream(agent.capability_manifest);
  }

  #relay(
    { id }: Subject,
    { activeMembers }: Conversation,
    frame: StreamRelayFrame | TypingRelayFrame,
  ): void {
    const text = JSON.stringify(frame);
    for (const { member_id } of activeMembers) {
      if (member_id !== id) this.#parts.connections.sendTransient(member_id, text);
    }
  }

  /** Those who are in it by then hear it; the sender too, who may not be. */
  async #failStream(error: StreamErrorFrame): Promise<void> {
    const { storage, connections } = this.#parts;
    const conversation = await storage.conversation(error.conversation_id);
    const members = conversation?.activeMembers.map(({ member_id }) => member_id) ?? [];
    for (const hearer of new Set([error.sender_id, ...members])) connections.send(hearer, error);
  }

  #newMessage(subject: Subject, outgoing: OutgoingMessage): NewMessage {
    const { clock } = this.#parts;
    return {
      message_id: messageId(subject.id, outgoing),
      conversation_id: outgoing.conversation_id,
      sender_id: subject.id,
      sender_type: subject.type,
      client_message_id: outgoing.client_message_id,
      content_type: outgoing.content_type,
      msg_subtype: outgoing.msg_subtype ?? null,
      payload: outgoing.encrypted_payload,
      created_at: clock.now(),
    };
  }
}

const ID_CHARS = 22;

/**
 * The same for the same message, so that its recipient and its sender know it by one id even if the hub
 * crashes after delivering it and accepts it again when it is resent. 132 bits.
 */
function messageId(
  senderId: string,
  outgoing: MessageCreate & { readonly conversation_id: string },
): string {
  const { conversation_id, client_message_id, encrypted_payload } = outgoing;
  const about = JSON.stringify([senderId, conversation_id, client_message_id]);
  return hash("sha256", about + encrypted_payload, "base64url").slice(0, ID_CHARS);
}
