import type { SentMessage } from "../../app/protocol/link/outbox.ts";
import { type Delivery, type OutboundFrame, Outbox } from "../../app/protocol/link/outbox.ts";
import {
  type MessageSealing,
  messageKind,
  SealingError,
} from "../../app/protocol/v1/message-sealing.ts";

export interface OutgoingMessage extends Omit<OutboundFrame, "encrypted_payload"> {
  readonly client_message_id: string;
  readonly plaintext: Uint8Array;
  readonly call_id: string | null;
  /** Everybody else in the conversation. */
  readonly recipients: () => Promise<readonly string[]>;
}

export interface SealedOutboxPorts {
  readonly sealing: Pick<MessageSealing, "seal">;
  /** Sends a frame now; false, and dropped, when there is no connection. */
  transmit(text: string): boolean;
}

/** Messages are sealed one after the other for each conversation, and leave in that order. */
export class SealedOutbox {
  readonly #sealing: Pick<MessageSealing, "seal">;
  readonly #outbox: Outbox;
  /** The last message of each conversation on its way out. */
  readonly #sealed = new Map<string, Promise<void>>();
  #closed = false;

  constructor({ sealing, transmit }: SealedOutboxPorts) {
    this.#sealing = sealing;
    this.#outbox = new Outbox(transmit);
  }

  /** `delivery.refused` hears of what could not be sealed too, by its code. */
  post(message: OutgoingMessage, delivery: Delivery): void {
    const { conversation_id } = message;
    const before = this.#sealed.get(conversation_id) ?? Promise.resolve();
    const run = before.then(() => this.#sealAndPost(message, delivery));
    this.#sealed.set(conversation_id, run);
    void run.then(() => {
      if (this.#sealed.get(conversation_id) === run) this.#sealed.delete(conversation_id);
    });
  }

  resendAll(): void {
    this.#outbox.resendAll();
  }

  acked(clientMessageId: string, sent: SentMessage): void {
    this.#outbox.acked(clientMessageId, sent);
  }

  refused(clientMessageId: string, code: string, params: Readonly<Record<string, unknown>>): void {
    this.#outbox.refused(clientMessageId, code, params);
  }

  /** The program ends: nothing more is sealed, and what cannot be any more is nobody's failure. */
  close(): void {
    this.#closed = true;
  }

  async #sealAndPost(message: OutgoingMessage, delivery: Delivery): Promise<void> {
    if (this.#closed) return;
    const { plaintext, recipients, call_id, client_message_id, ...frame } = message;
    const { conversation_id } = frame;
    let encrypted_payload: string;
    try {
      const recipient_ids = await recipients();
      const about = { conversation_id, recipient_ids, kind: messageKind(frame), call_id };
      encrypted_payload = await this.#sealing.seal(plaintext, about);
    } catch (error) {
      if (this.#closed) return;
      delivery.refused(error instanceof SealingError ? error.code : "internal_error", {});
      return;
    }
    this.#outbox.post(client_message_id, { ...frame, encrypted_payload }, delivery);
  }
}
