import type { TrustedClock } from "../../app/execution/ports.ts";

/** Milliseconds. A wall clock counts from the epoch and may jump; a monotonic one only rises. */
export interface Ticker {
  now(): number;
}

/** What is kept of the clock: its reading, and the wall clock's at the same moment. */
export interface ClockMark {
  readonly highWater: number;
  readonly wall: number;
}

/**
 * Two clocks of contract §3. `now` never runs behind time that passed: silence is measured on it,
 * so turning the wall clock back lengthens nothing. `safeNow` never runs ahead of time that
 * passed since the store was opened: the log is purged by it, so turning the wall clock
 * forward purges nothing.
 */
export class StoredClock implements TrustedClock {
  readonly #wall: Ticker;
  readonly #monotonic: Ticker;
  readonly #anchorWall: number;
  readonly #anchorMonotonic: number;
  #reading: number;
  #readAt: number;

  /**
   * @param kept the last mark that was stored, if any
   * @param lastRecordAt the newest record's timestamp: the clock never returns to before it
   */
  constructor(wall: Ticker, monotonic: Ticker, kept: ClockMark | undefined, lastRecordAt: number) {
    this.#wall = wall;
    this.#monotonic = monotonic;
    this.#anchorWall = Math.floor(wall.now());
    this.#anchorMonotonic = monotonic.now();
    // Once ahead of the wall clock it stays ahead, and counts the time the program was not
    // running: else a window opened before a jump back would outlive its 24 h.
    const asleep = kept === undefined ? 0 : Math.max(0, this.#anchorWall - kept.wall);
    const resumed = kept === undefined ? 0 : kept.highWater + asleep;
    this.#reading = Math.max(this.#anchorWall, resumed, lastRecordAt);
    this.#readAt = this.#anchorMonotonic;
  }

  now(): number {
    const monotonic = this.#monotonic.now();
    const elapsed = Math.max(0, monotonic - this.#readAt);
    // The fraction stays in #reading: many quick readings must not add up to standing still.
    this.#reading = Math.max(this.#wall.now(), this.#reading + elapsed);
    this.#readAt = Math.max(this.#readAt, monotonic);
    return Math.floor(this.#reading);
  }

  /** Milliseconds since the epoch; may go back when the wall clock does. */
  safeNow(): number {
    const elapsed = Math.max(0, this.#monotonic.now() - this.#anchorMonotonic);
    return Math.floor(Math.min(this.#wall.now(), this.#anchorWall + elapsed));
  }

  mark(): ClockMark {
    return { highWater: this.now(), wall: Math.floor(this.#wall.now()) };
  }
}
