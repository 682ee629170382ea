/** How long a schema that had to be killed is refused without being tried, in milliseconds. */
export const QUARANTINE_MS = 60_000;

/** Schemas that cost a worker its life. Times come from the clock that is passed in. */
export class Quarantine {
  readonly #until = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(key: string): void {
    const now = this.#now();
    for (const [old, until] of this.#until) if (until <= now) this.#until.delete(old);
    this.#until.set(key, now + QUARANTINE_MS);
  }

  has(key: string): boolean {
    return (this.#until.get(key) ?? Number.NEGATIVE_INFINITY) > this.#now();
  }
}
