import type { Clock, Scheduler } from "../hub-options.ts";

/** Time that passes only when a test says so. */
export class ManualTime implements Clock, Scheduler {
  #now = Date.parse("2026-01-01T00:00:00.000Z");
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  #armed: () => void = () => undefined;

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    this.#armed();
    return () => void this.#timers.delete(timer);
  }

  /** Resolves when the next timer is set: what a test started has got as far as waiting. */
  nextTimer(): Promise<void> {
    return new Promise((resolve) => {
      this.#armed = resolve;
    });
  }

  /** Lets `ms` pass and runs what falls due, in order. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#due(end); next !== undefined; next = this.#due(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  /** How many timers are set; a closed hub leaves none. */
  get pending(): number {
    return this.#timers.size;
  }

  #due(end: number) {
    const due = [...this.#timers].filter(({ at }) => at <= end);
    return due.sort((left, right) => left.at - right.at)[0];
  }
}
