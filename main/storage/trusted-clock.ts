import type { TrustedClock } from "../../app/execution/ports.ts";

/** Milliseconds. A wall clock counts from the epoch and may jump; a monotonic one only rises. */
export interface Ticker {
  now(): number;
}

/** What is stored of the clocks: their readings, and the wall clock's at the same moment. */
export interface ClockMark {
  readonly highWater: number;
  readonly wall: number;
  /** The reading of `safeNow`. */
  readonly passed: number;
}

/**
 * The two clocks of contract §3. `now` never runs behind the time that passed: quiet periods are
 * measured on it, so setting the wall clock back lengthens nothing. `safeNow` counts the time that
 * really passed: entries age by it, so setting the wall clock either way neither purges nor keeps
 * anything. Only the wall clock can say how long the program was not running.
 */
export class StoredClock implements TrustedClock {
  readonly #wall: Ticker;
  readonly #monotonic: Ticker;
  readonly #anchorWall: number;
  readonly #anchorMonotonic: number;
  #reading: number;
  #readAt: number;
  #passedAtAnchor: number;
  /**
   * The stored wall clock reading, while the wall clock is behind it: it is then unknown how long
   * the program was not running.
   */
  #unmeasuredSince: number | undefined;

  /**
   * @param kept the last stored readings, if any
   * @param lastRecordAt the newest record's timestamp; the clock never goes back before it
   */
  constructor(wall: Ticker, monotonic: Ticker, kept: ClockMark | undefined, lastRecordAt: number) {
    this.#wall = wall;
    this.#monotonic = monotonic;
    this.#anchorWall = Math.floor(wall.now());
    this.#anchorMonotonic = monotonic.now();
    // Once ahead of the wall clock, it stays ahead and counts the time the program was not running.
    // Otherwise a quiet period started before a jump back would last longer than 24 h.
    const asleep = kept === undefined ? 0 : Math.max(0, this.#anchorWall - kept.wall);
    const resumed = kept === undefined ? 0 : kept.highWater + asleep;
    this.#reading = Math.max(this.#anchorWall, resumed, lastRecordAt);
    this.#readAt = this.#anchorMonotonic;
    this.#passedAtAnchor = kept === undefined ? this.#anchorWall : kept.passed + asleep;
    this.#unmeasuredSince =
      kept !== undefined && kept.wall > this.#anchorWall ? kept.wall : undefined;
  }

  now(): number {
    const monotonic = this.#monotonic.now();
    const elapsed = Math.max(0, monotonic - this.#readAt);
    // The fraction stays in #reading, so that many quick readings do not lose time.
    this.#reading = Math.max(this.#wall.now(), this.#reading + elapsed);
    this.#readAt = Math.max(this.#readAt, monotonic);
    return Math.floor(this.#reading);
  }

  /** Milliseconds since the epoch, if the wall clock was right when the store was created. */
  safeNow(): number {
    const elapsed = Math.max(0, this.#monotonic.now() - this.#anchorMonotonic);
    this.#makeUpForSleep(elapsed);
    return Math.floor(this.#passedAtAnchor + elapsed);
  }

  /** Once the wall clock is correct again, it shows how long the program was not running. */
  #makeUpForSleep(elapsed: number): void {
    if (this.#unmeasuredSince === undefined) return;
    const asleep = this.#wall.now() - elapsed - this.#unmeasuredSince;
    if (asleep < 0) return;
    this.#passedAtAnchor += asleep;
    this.#unmeasuredSince = undefined;
  }

  mark(): ClockMark {
    return { highWater: this.now(), wall: Math.floor(this.#wall.now()), passed: this.safeNow() };
  }
}
