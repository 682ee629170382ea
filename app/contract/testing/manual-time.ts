interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Time that passes only when a test says so. Chance is 0: back-off has no jitter. */
export class ManualTime {
  #now = Date.parse("2026-01-01T00:00:00.000Z");
  #setBy = 0;
  readonly #timers = new Set<Timer>();
  #armed: () => void = () => undefined;

  now(): number {
    return this.#now + this.#setBy;
  }

  random(): number {
    return 0;
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

  /** Somebody sets the wall clock: `now` jumps, timers do not notice. */
  setBy(ms: number): void {
    this.#setBy += ms;
  }

  /** Lets `ms` pass and runs what falls due, in order. */
  pass(ms: number): void {
    for (const run of this.#due(ms)) run();
  }

  /** The same, and promises settle in between. */
  async advance(ms: number): Promise<void> {
    await turn();
    for (const run of this.#due(ms)) {
      run();
      await turn();
    }
  }

  /** How many timers are set; what was closed leaves none. */
  get pending(): number {
    return this.#timers.size;
  }

  *#due(ms: number): Generator<() => void> {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end);
      const [next] = due.sort((left, right) => left.at - right.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      yield next.run;
    }
    this.#now = end;
  }
}

/** Lets everything that is ready run, also what comes back from a thread. */
export async function turn(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }
}
