import type { TimeSource } from "../time-source.ts";

interface Timer {
  readonly due: number;
  readonly run: () => void;
  handle: NodeJS.Timeout | undefined;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Real time that a test can advance, and a wall clock that it can set. */
export class JumpingTime implements TimeSource {
  #jumped = 0;
  #wallSetBy = 0;
  readonly #timers = new Set<Timer>();
  readonly monotonic = { now: () => performance.now() + this.#jumped };
  readonly wall = { now: () => Date.now() + this.#jumped + this.#wallSetBy };
  readonly scheduler = {
    after: (ms: number, run: () => void) => {
      const timer: Timer = { due: this.monotonic.now() + ms, run, handle: undefined };
      this.#timers.add(timer);
      this.#arm(timer);
      return () => {
        clearTimeout(timer.handle);
        this.#timers.delete(timer);
      };
    },
  };

  /** Advances by milliseconds; timers that fall due fire in order. */
  jump(ms: number): void {
    this.#jumped += ms;
    for (const timer of [...this.#timers].sort((one, other) => one.due - other.due)) {
      this.#arm(timer);
    }
  }

  /** Somebody sets the computer's clock; no time passes. */
  setWallBy(ms: number): void {
    this.#wallSetBy += ms;
  }

  #arm(timer: Timer): void {
    clearTimeout(timer.handle);
    const left = Math.max(0, timer.due - this.monotonic.now());
    timer.handle = setTimeout(
      () => {
        if (this.#timers.delete(timer)) timer.run();
      },
      Math.min(left, LONGEST_TIMER_MS),
    );
  }
}
