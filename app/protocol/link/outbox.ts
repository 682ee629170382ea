import type { MessageSendFrame } from "../v1/frames.ts";
import type { LinkClock } from "./connection.ts";

/** A message as its sender makes it. The outbox adds the id that makes resending safe. */
export type OutboundFrame = Omit<MessageSendFrame, "type" | "client_message_id">;

/** The hub has stored the message durably. */
export interface SentMessage {
  readonly message_id: string;
  readonly conversation_seq: number;
}

export interface Delivery {
  acked(sent: SentMessage): void;
  /** @param code the hub's code, or `disconnected` */
  refused(code: string, params: Readonly<Record<string, unknown>>): void;
}

/** How long a message waits that the hub could not store, in milliseconds. */
const UNAVAILABLE_MS = 1_000;

interface Entry {
  readonly text: string;
  readonly delivery: Delivery;
  mayHaveArrived: boolean;
}

/**
 * Messages that the hub has not acknowledged, resent after a reconnect in the order they were
 * added. Thanks to the unchanged `client_message_id`, the hub keeps only the first copy.
 */
export class Outbox {
  readonly #entries = new Map<string, Entry>();
  readonly #transmit: (text: string) => boolean;
  readonly #after: LinkClock["after"];
  #isResending = false;

  /** @param transmit sends a frame now; returns false, and sends nothing, without a connection */
  constructor(transmit: (text: string) => boolean, after: LinkClock["after"]) {
    this.#transmit = transmit;
    this.#after = after;
  }

  post(clientMessageId: string, frame: OutboundFrame, delivery: Delivery): void {
    const text = JSON.stringify({
      type: "message.send",
      client_message_id: clientMessageId,
      ...frame,
    });
    const entry = { text, delivery, mayHaveArrived: false };
    this.#entries.set(clientMessageId, entry);
    if (this.#transmit(text)) entry.mayHaveArrived = true;
  }

  /**
   * The message is no longer wanted, and is not resent.
   * @returns false if it was never sent
   */
  withdraw(clientMessageId: string): boolean {
    const entry = this.#entries.get(clientMessageId);
    this.#entries.delete(clientMessageId);
    return entry?.mayHaveArrived ?? true;
  }

  resendAll(): void {
    for (const entry of this.#entries.values()) {
      if (this.#transmit(entry.text)) entry.mayHaveArrived = true;
    }
  }

  acked(clientMessageId: string, sent: SentMessage): void {
    this.#take(clientMessageId)?.acked(sent);
  }

  refused(clientMessageId: string, code: string, params: Readonly<Record<string, unknown>>): void {
    if (code === "UNAVAILABLE") this.#resendLater();
    else this.#take(clientMessageId)?.refused(code, params);
  }

  /** The hub's database is away: what it did not acknowledge is sent again, in order. */
  #resendLater(): void {
    if (this.#isResending) return;
    this.#isResending = true;
    this.#after(UNAVAILABLE_MS, () => {
      this.#isResending = false;
      this.resendAll();
    });
  }

  refuseAll(code: string): void {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const { delivery } of entries) delivery.refused(code, {});
  }

  #take(clientMessageId: string): Delivery | undefined {
    const entry = this.#entries.get(clientMessageId);
    this.#entries.delete(clientMessageId);
    return entry?.delivery;
  }
}
