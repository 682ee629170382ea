import type { Delivery, OutboundFrame, Outbox } from "../../app/protocol/link/outbox.ts";
import {
  type MessageSealing,
  messageKind,
  sealingError,
} from "../../app/protocol/v1/message-sealing.ts";

export interface OutgoingMessage extends Omit<OutboundFrame, "encrypted_payload"> {
  readonly client_message_id: string;
  readonly plaintext: Uint8Array;
  readonly call_id: string | null;
  /** Everybody else in the conversation. */
  readonly recipients: () => Promise<readonly string[]>;
}

/** A message being sealed; its envelope, or the code of why there is none. */
interface Sealing {
  readonly result: Promise<{ readonly envelope: string } | { readonly code: string }>;
}

/** The last message of a conversation. */
interface Turn {
  readonly begun: Promise<unknown>;
  readonly left: Promise<void>;
}

/** Seals each conversation's messages, and gives them to the outbox, in order. */
export class SealedOutbox {
  readonly #sealing: Pick<MessageSealing, "seal">;
  readonly #outbox: Pick<Outbox, "post">;
  readonly #turns = new Map<string, Turn>();
  #closed = false;

  constructor(sealing: Pick<MessageSealing, "seal">, outbox: Pick<Outbox, "post">) {
    this.#sealing = sealing;
    this.#outbox = outbox;
  }

  /**
   * Seals it at once, after the earlier ones; it does not wait for them to be stored.
   * @param delivery also gets the code if the message could not be sealed
   * @param mayLeave false: it is dropped without a report
   */
  post(message: OutgoingMessage, delivery: Delivery, mayLeave?: Promise<boolean>): void {
    const { conversation_id } = message;
    const before = this.#turns.get(conversation_id);
    const begun = (before?.begun ?? Promise.resolve()).then(() => this.#begin(message));
    const left = this.#leave(message, begun, delivery, before?.left, mayLeave);
    const turn = { begun, left };
    this.#turns.set(conversation_id, turn);
    void left.then(() => {
      if (this.#turns.get(conversation_id) === turn) this.#turns.delete(conversation_id);
    });
  }

  /** Shutdown: seals nothing more, and reports no failure for what could not be sealed. */
  close(): void {
    this.#closed = true;
  }

  /** Resolves once `seal` was called, which fixes the order, without waiting for its result. */
  async #begin({ plaintext, recipients, call_id, ...frame }: OutgoingMessage): Promise<Sealing> {
    try {
      const recipient_ids = await recipients();
      if (this.#closed) return failed("internal_error");
      const { conversation_id } = frame;
      const about = { conversation_id, recipient_ids, kind: messageKind(frame), call_id };
      const sealed = this.#sealing.seal(plaintext, about);
      return { result: sealed.then((envelope) => ({ envelope }), codeOf) };
    } catch (error) {
      return { result: Promise.resolve(codeOf(error)) };
    }
  }

  async #leave(
    { plaintext: _, recipients: __, call_id: ___, client_message_id, ...frame }: OutgoingMessage,
    begun: Promise<Sealing>,
    delivery: Delivery,
    before: Promise<void> | undefined,
    mayLeave: Promise<boolean> | undefined,
  ): Promise<void> {
    const sealed = await (await begun).result;
    await before;
    if (mayLeave !== undefined && !(await mayLeave)) return;
    if ("envelope" in sealed) {
      const { envelope: encrypted_payload } = sealed;
      this.#outbox.post(client_message_id, { ...frame, encrypted_payload }, delivery);
    } else if (!this.#closed) {
      delivery.refused(sealed.code, {});
    }
  }
}

const codeOf = (error: unknown): { readonly code: string } => ({
  code: sealingError.is(error) ? error.code : "internal_error",
});

const failed = (code: string): Sealing => ({ result: Promise.resolve({ code }) });
