import { LIMITS } from "../contract/limits.ts";

/** A visible card's time (contract §3). Moments are monotonic milliseconds. */
export interface CardClock {
  readonly shown_at: number;
  /** Null: no limit. */
  readonly limit_ms: number | null;
  /** How long it stood still, or is still to stand, in all. */
  readonly held_ms: number;
  /** It stands still until then. */
  readonly held_until: number;
}

export const startedClock = (limit_ms: number | null, now: number): CardClock => ({
  shown_at: now,
  limit_ms,
  held_ms: 0,
  held_until: now,
});

/** For how long from now on it stands still. */
export const heldAt = ({ held_until }: CardClock, now: number): number =>
  Math.max(0, held_until - now);

/** What is left of the limit, in milliseconds; null: there is none. */
export function remainingOf(clock: CardClock, now: number): number | null {
  if (clock.limit_ms === null) return null;
  const stood = clock.held_ms - heldAt(clock, now);
  return Math.max(0, clock.limit_ms - (now - clock.shown_at - stood));
}

/** When it runs out, if nobody reads on; null: never. */
export const endOf = ({ shown_at, limit_ms, held_ms }: CardClock): number | null =>
  limit_ms === null ? null : shown_at + limit_ms + held_ms;

/**
 * The clock after a page said that the person reads: it stands still for a moment, as long as all
 * such moments together leave room. The same clock if that changes nothing worth telling: there is
 * no limit, it has run out, or it stands still anyway.
 */
export function heldForReading(clock: CardClock, now: number): CardClock {
  if ((remainingOf(clock, now) ?? 0) === 0) return clock;
  if (heldAt(clock, now) > LIMITS.readingHoldMs - LIMITS.readingToldMs) return clock;
  const from = Math.max(now, clock.held_until);
  const wanted = now + LIMITS.readingHoldMs - from;
  const added = Math.min(wanted, LIMITS.readingHoldsMs - clock.held_ms);
  if (added <= 0) return clock;
  return { ...clock, held_ms: clock.held_ms + added, held_until: from + added };
}

/**
 * Whether the person was there when it ran out: they scrolled, selected or unfolded something in the card
 * shortly before.
 */
export const isWatched = ({ held_ms, held_until }: CardClock, now: number): boolean =>
  held_ms > 0 && now - held_until <= LIMITS.consentTimeoutMs;
