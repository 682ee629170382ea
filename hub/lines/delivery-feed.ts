import type { Scheduler } from "../hub-options.ts";
import type { MessageStore } from "../storage/message-store.ts";
import type { Line } from "./line.ts";
import { storedMessageFrame } from "./message-frame.ts";

const PAGE = 32;
const CONGESTED_BYTES = 8 * 1024 * 1024;
const LOOK_AGAIN_MS = 50;

/**
 * One connection's message deliveries, in order. It first reads what waits in the store; once that
 * is empty, live messages pass straight through. A slow reader falls back to reading the store, so
 * it costs no memory and misses nothing.
 */
export class DeliveryFeed {
  readonly #line: Line;
  readonly #recipientId: string;
  readonly #messages: MessageStore;
  readonly #scheduler: Scheduler;
  readonly #failed: (error: unknown) => void;
  #lastSent = 0;
  #live = false;
  #ended = false;
  #cancelPause: () => void = () => undefined;

  constructor(
    line: Line,
    recipientId: string,
    messages: MessageStore,
    scheduler: Scheduler,
    failed: (error: unknown) => void,
  ) {
    this.#line = line;
    this.#recipientId = recipientId;
    this.#messages = messages;
    this.#scheduler = scheduler;
    this.#failed = failed;
  }

  begin(): void {
    this.#readOn();
  }

  /** A message that was just committed. */
  offer(deliveryId: number, frame: string): void {
    if (!this.#live || deliveryId <= this.#lastSent) return;
    if (this.isCongested()) {
      this.#live = false;
      this.#pause(LOOK_AGAIN_MS);
      return;
    }
    this.#lastSent = deliveryId;
    this.#line.send(frame);
  }

  /**
   * Messages were held back, and may be delivered now. All of them are newer than the last one sent:
   * while one relation of an agent is suspended, all of this hub's one person's are.
   */
  lookAgain(): void {
    if (!this.#live) return;
    this.#live = false;
    this.#pause(0);
  }

  isCongested(): boolean {
    return (this.#line.bufferedBytes?.() ?? 0) > CONGESTED_BYTES;
  }

  end(): void {
    this.#ended = true;
    this.#cancelPause();
  }

  #readOn(): void {
    if (this.#ended) return;
    if (this.isCongested()) {
      this.#pause(LOOK_AGAIN_MS);
      return;
    }
    const page = this.#messages.undelivered(this.#recipientId, this.#lastSent, PAGE);
    for (const message of page) {
      this.#lastSent = message.delivery_id;
      this.#line.send(storedMessageFrame(message));
    }
    if (page.length === PAGE) this.#pause(0);
    else this.#live = true;
  }

  #pause(ms: number): void {
    this.#cancelPause = this.#scheduler.after(ms, () => {
      try {
        this.#readOn();
      } catch (error) {
        this.#failed(error);
      }
    });
  }
}
