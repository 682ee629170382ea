import type { LinkClock } from "../app/protocol/link/connection.ts";
import { type Delivery, type OutboundFrame, Outbox } from "../app/protocol/link/outbox.ts";
import { messageKind, sealingError } from "../app/protocol/v1/message-sealing.ts";
import type { Mail, Unsealed } from "./encryption/keyed-mail.ts";
import { AgentError } from "./errors.ts";

/** A message before it is sealed. */
export interface OutboundMessage extends Omit<OutboundFrame, "encrypted_payload"> {
  readonly plaintext: Uint8Array;
  /** The call that it makes or cancels; null for anything else. */
  readonly call_id: string | null;
}

/** Bytes that an envelope adds to its content: about 450 between two, more with the id of a call. */
const ENVELOPE_BYTES = 900;

/** Seals messages and sends them in the order they were passed in. */
export class SealedOutbox {
  readonly #mail: () => Mail;
  readonly #outbox: Outbox;
  readonly #maxChars: number;
  /** Messages being sealed. Null: cancelled. */
  readonly #sealing = new Map<string, Delivery | null>();
  #idle: (() => void)[] = [];

  /** @param maxChars of an envelope in base64, as the hub accepts it */
  constructor(
    mail: () => Mail,
    transmit: (text: string) => boolean,
    maxChars: number,
    clock: Pick<LinkClock, "after">,
  ) {
    this.#mail = mail;
    this.#maxChars = maxChars;
    this.#outbox = new Outbox(transmit, clock.after.bind(clock));
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
      const encrypted_payload = await this.#envelope(message);
      const awaited = this.#sealed(id);
      if (awaited) this.#outbox.post(id, { ...frame, encrypted_payload }, awaited);
    } catch (error) {
      this.#sealed(id)?.refused(codeOf(error), {});
    }
    if (this.#sealing.size > 0) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }

  async #envelope(message: Unsealed): Promise<string> {
    // Before it is sealed: an envelope that is never sent counts as missed by its recipient.
    const expected = ((message.plaintext.length + ENVELOPE_BYTES) * 4) / 3;
    if (expected > this.#maxChars) throw new AgentError("payload_too_large");
    const sealed = await this.#mail().seal(message);
    // Many recipients add more.
    if (sealed.length > this.#maxChars) throw new AgentError("payload_too_large");
    return sealed;
  }

  /** `undefined`: cancelled meanwhile. */
  #sealed(id: string): Delivery | undefined {
    const delivery = this.#sealing.get(id) ?? undefined;
    this.#sealing.delete(id);
    return delivery;
  }
}

const codeOf = (error: unknown): string =>
  sealingError.is(error) || error instanceof AgentError ? error.code : "keys_unavailable";
