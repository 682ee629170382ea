import { type Delivery, type OutboundFrame, Outbox } from "../app/protocol/link/outbox.ts";
import { messageKind, SealingError } from "../app/protocol/v1/message-sealing.ts";
import type { Mail } from "./encryption/mail.ts";

/** A message before it is sealed. */
export interface OutboundMessage extends Omit<OutboundFrame, "encrypted_payload"> {
  readonly plaintext: Uint8Array;
  /** The call that it makes or cancels; null for anything else. */
  readonly call_id: string | null;
}

/** The largest content the hub's frame schema accepts; a refusal of a bigger frame would lack its id. */
const SEALED_MAX_CHARS = 1_900_000;

/** Seals messages and sends them in the order they were passed in. */
export class SealedOutbox {
  readonly #mail: () => Mail;
  readonly #outbox: Outbox;
  /** Messages being sealed. Null: cancelled. */
  readonly #sealing = new Map<string, Delivery | null>();
  #idle: (() => void)[] = [];

  constructor(mail: () => Mail, transmit: (text: string) => boolean) {
    this.#mail = mail;
    this.#outbox = new Outbox(transmit);
  }

  post(id: string, message: OutboundMessage, delivery: Delivery): void {
    this.#sealing.set(id, delivery);
    void this.#seal(id, message);
  }

  /** @returns false when it was never sent */
  withdraw(id: string): boolean {
    if (!this.#sealing.has(id)) return this.#outbox.withdraw(id);
    this.#sealing.set(id, null);
    return false;
  }

  resendAll(): void {
    this.#outbox.resendAll();
  }

  acked(id: string, sent: Parameters<Delivery["acked"]>[0]): void {
    this.#outbox.acked(id, sent);
  }

  refused(id: string, code: string, params: Readonly<Record<string, unknown>>): void {
    this.#outbox.refused(id, code, params);
  }

  refuseAll(code: string): void {
    const sealing = [...this.#sealing];
    for (const [id, delivery] of sealing) {
      this.#sealing.set(id, null);
      delivery?.refused(code, {});
    }
    this.#outbox.refuseAll(code);
  }

  /** `undefined` when nothing is being sealed; else resolves when it has been sent. */
  settled(): Promise<void> | undefined {
    if (this.#sealing.size === 0) return undefined;
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  async #seal(id: string, { plaintext, call_id, ...frame }: OutboundMessage): Promise<void> {
    const { conversation_id } = frame;
    const kind = messageKind(frame);
    try {
      const message = { conversation_id, kind, call_id, plaintext };
      const encrypted_payload = await this.#mail().seal(message);
      const awaited = this.#sealed(id);
      if (encrypted_payload.length > SEALED_MAX_CHARS) awaited?.refused("payload_too_large", {});
      else if (awaited) this.#outbox.post(id, { ...frame, encrypted_payload }, awaited);
    } catch (error) {
      this.#sealed(id)?.refused(codeOf(error), {});
    }
    if (this.#sealing.size > 0) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }

  /** `undefined`: cancelled meanwhile. */
  #sealed(id: string): Delivery | undefined {
    const delivery = this.#sealing.get(id) ?? undefined;
    this.#sealing.delete(id);
    return delivery;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof SealingError ? error.code : "keys_unavailable";
