import type { MessageNewFrame } from "../../app/protocol/v1/frames.ts";
import { isUnavailable } from "../hub-error.ts";
import type { Scheduler } from "../hub-options.ts";
import type { Undelivered } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import type { Line } from "./line.ts";

const PAGE = 32;
const CONGESTED_BYTES = 8 * 1024 * 1024;
const LOOK_AGAIN_MS = 50;
const UNAVAILABLE_MS = 1_000;

/**
 * One connection's message deliveries, in order. It first reads what waits in the store; once that is
 * empty, live messages go straight through. For a slow reader it goes back to the store, so that it
 * needs no memory and misses nothing.
 */
export class DeliveryFeed {
  readonly #line: Line;
  readonly #recipientId: string;
  readonly #storage: Pick<HubStorage, "undelivered">;
  readonly #scheduler: Scheduler;
  readonly #failed: (error: unknown) => void;
  /** Deliveries count up by one for each recipient, so one that is missing was stored by another node. */
  readonly #isCounted: boolean;
  #lastSent = 0;
  #isAnew = false;
  #live = false;
  /** There may be something newer than the page that is being read. */
  #isBehind = false;
  #ended = false;
  #cancelPause: () => void = () => undefined;

  constructor(
    line: Line,
    recipientId: string,
    storage: Pick<HubStorage, "undelivered">,
    scheduler: Scheduler,
    failed: (error: unknown) => void,
    isCounted = false,
  ) {
    this.#line = line;
    this.#recipientId = recipientId;
    this.#storage = storage;
    this.#scheduler = scheduler;
    this.#failed = failed;
    this.#isCounted = isCounted;
  }

  begin(): void {
    this.#readOn();
  }

  /** A message that was just committed. */
  offer(deliveryId: number, frame: string): void {
    if (deliveryId <= this.#lastSent) return;
    if (!this.#live) {
      this.#isBehind = true;
      return;
    }
    if (this.isCongested()) {
      this.#live = false;
      this.#pause(LOOK_AGAIN_MS);
      return;
    }
    if (this.#isCounted && deliveryId !== this.#lastSent + 1) {
      this.#look();
      return;
    }
    this.#lastSent = deliveryId;
    this.#line.send(frame);
  }

  /** There are messages up to this one. */
  look(deliveryId: number): void {
    if (deliveryId > this.#lastSent) this.#look();
  }

  /**
   * Messages were held back and may be delivered now. Newer ones of other people may have been sent, so it
   * begins anew, as after a connect: what was not reported received comes again.
   */
  lookAgain(): void {
    this.#isAnew = true;
    this.#look();
  }

  #look(): void {
    this.#isBehind = true;
    if (!this.#live) return;
    this.#live = false;
    this.#readOn();
  }

  isCongested(): boolean {
    return (this.#line.bufferedBytes?.() ?? 0) > CONGESTED_BYTES;
  }

  end(): void {
    this.#ended = true;
    this.#cancelPause();
  }

  #readOn(): void {
    this.#readPages().catch((error: unknown) => {
      if (isUnavailable(error)) this.#pause(UNAVAILABLE_MS);
      else this.#failed(error);
    });
  }

  async #readPages(): Promise<void> {
    do {
      if (this.#ended) return;
      if (this.isCongested()) return this.#pause(LOOK_AGAIN_MS);
      this.#isBehind = false;
      if (this.#isAnew) this.#lastSent = 0;
      this.#isAnew = false;
      const page = await this.#storage.undelivered(this.#recipientId, this.#lastSent, PAGE);
      if (this.#ended) return;
      for (const message of page) {
        this.#lastSent = message.delivery_id;
        this.#line.send(JSON.stringify(messageFrame(message)));
      }
      if (page.length === PAGE) return this.#pause(0);
    } while (this.#isBehind);
    this.#live = true;
  }

  #pause(ms: number): void {
    this.#cancelPause();
    this.#cancelPause = this.#scheduler.after(ms, () => this.#readOn());
  }
}

export const messageFrame = (message: Omit<Undelivered, "delivery_id">): MessageNewFrame => ({
  type: "message.new",
  conversation_id: message.conversation_id,
  conversation_type: message.conversation_type,
  message_id: message.message_id,
  sender_id: message.sender_id,
  sender_type: message.sender_type,
  content_type: message.content_type,
  ...(message.msg_subtype === null ? {} : { msg_subtype: message.msg_subtype }),
  encrypted_payload: message.payload,
  conversation_seq: message.conversation_seq,
  created_at: new Date(message.created_at).toISOString(),
});
