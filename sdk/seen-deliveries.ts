export interface SeenDeliveriesOptions {
  /** Milliseconds an id is remembered. Default 25 hours: the hub tries for 24. */
  readonly keepMs?: number;
  /** Ids remembered at most; the oldest makes room. Default 10 000. */
  readonly atMost?: number;
  /** Milliseconds since the epoch. Default: the clock of this computer. */
  readonly now?: () => number;
}

/**
 * The delivery ids that were dealt with, in this process. The hub delivers at least once: answer a
 * delivery that was seen with 200 and do nothing. Remember an id when you are done, not before, so
 * that what failed is done when it comes again.
 */
export class SeenDeliveries {
  readonly #keepMs: number;
  readonly #atMost: number;
  readonly #now: () => number;
  /** Id → when it was remembered; the oldest first. */
  readonly #seen = new Map<string, number>();

  constructor({
    keepMs = 25 * 3_600_000,
    atMost = 10_000,
    now = Date.now,
  }: SeenDeliveriesOptions = {}) {
    this.#keepMs = keepMs;
    this.#atMost = atMost;
    this.#now = now;
  }

  has(deliveryId: string): boolean {
    const at = this.#seen.get(deliveryId);
    return at !== undefined && this.#now() - at <= this.#keepMs;
  }

  remember(deliveryId: string): void {
    this.#seen.delete(deliveryId);
    this.#seen.set(deliveryId, this.#now());
    for (const [id, at] of this.#seen) {
      if (this.#seen.size <= this.#atMost && this.#now() - at <= this.#keepMs) return;
      this.#seen.delete(id);
    }
  }
}
