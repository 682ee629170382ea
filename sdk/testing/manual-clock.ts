import type { AgentClock } from "../clock.ts";

interface Alarm {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that stands still until a test moves it. Chance is 0: back-off has no jitter. */
export class ManualClock implements AgentClock {
  #now = 1_700_000_000_000;
  #skew = 0;
  readonly #alarms = new Set<Alarm>();

  after(ms: number, run: () => void): () => void {
    const alarm = { at: this.#now + ms, run };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  now(): number {
    return this.#now + this.#skew;
  }

  /** Somebody sets the wall clock: `now` jumps, timers do not notice. */
  setBy(ms: number): void {
    this.#skew += ms;
  }

  random(): number {
    return 0;
  }

  /** Timers not fired and not cancelled. */
  get running(): number {
    return this.#alarms.size;
  }

  /** Moves on by `ms`, firing what falls due in order, and lets promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await turn();
    for (let next = this.#nextUntil(end); next !== undefined; next = this.#nextUntil(end)) {
      this.#alarms.delete(next);
      this.#now = next.at;
      next.run();
      await turn();
    }
    this.#now = end;
  }

  #nextUntil(end: number): Alarm | undefined {
    const due = [...this.#alarms].filter((alarm) => alarm.at <= end);
    return due.sort((one, other) => one.at - other.at)[0];
  }
}

/** Lets everything that is ready run. */
export async function turn(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }
}
