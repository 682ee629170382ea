import type { MessageNewFrame } from "../../app/protocol/v1/frames.ts";
import type { Scheduler } from "../hub-options.ts";
import type { Undelivered } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import type { Line } from "./line.ts";

const PAGE = 32;
const CONGESTED_BYTES = 8 * 1024 * 1024;
const LOOK_AGAIN_MS = 50;

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
  #lastSent = 0;
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
  ) {
    this.#line = line;
    this.#recipientId = recipientId;
    this.#storage = storage;
    this.#scheduler = scheduler;
    this.#failed = failed;
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
    this.#lastSent = deliveryId;
    this.#line.send(frame);
  }

  /**
   * Messages were held back and may be delivered now. All of them are newer than the last one sent,
   * because with only one person at this hub, a suspended agent has no other active relation.
   */
  lookAgain(): void {
    if (this.#live) this.#pause(0);
    else this.#isBehind = true;
    this.#live = false;
  }

  isCongested(): boolean {
    return (this.#line.bufferedBytes?.() ?? 0) > CONGESTED_BYTES;
  }

  end(): void {
    this.#ended = true;
    this.#cancelPause();
  }

  #readOn(): void {
    this.#readPages().catch(this.#failed);
  }

  async #readPages(): Promise<void> {
    do {
      if (this.#ended) return;
      if (this.isCongested()) return this.#pause(LOOK_AGAIN_MS);
      this.#isBehind = false;
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
