export interface SeenDeliveriesOptions {
  /** Milliseconds that an id is remembered. Default 25 hours: the hub retries for 24. */
  readonly keepMs?: number;
  /** The most ids remembered; after that the oldest is forgotten. Default 10 000. */
  readonly atMost?: number;
  /** Milliseconds since the epoch. Default: the clock of this computer. */
  readonly now?: () => number;
}

/**
 * The delivery ids that this process has handled. The hub delivers at least once: answer a repeated
 * delivery with 200 and do nothing. Remember an id after handling it, not before, so that a failed
 * delivery is handled when it is repeated.
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
