/** A countdown as displayed, in milliseconds of one monotonic clock. */
export interface Countdown {
  readonly total_ms: number;
  /** When it ends; null until the card has been seen. */
  readonly ends_at: number | null;
  /** It stands still until then. */
  readonly held_until: number;
}

/** Without the host's wall clock. @param held_ms how long it stood still from `received_at` on */
export const countdownOf = (
  timeout_ms: number,
  remaining_ms: number | null,
  received_at: number,
  held_ms = 0,
): Countdown => ({
  total_ms: timeout_ms,
  ends_at: remaining_ms === null ? null : received_at + held_ms + remaining_ms,
  held_until: received_at + held_ms,
});

export const remainingAt = ({ total_ms, ends_at, held_until }: Countdown, now: number): number =>
  ends_at === null
    ? total_ms
    : Math.max(0, Math.min(total_ms, ends_at - Math.max(now, held_until)));

export const standsStill = ({ ends_at, held_until }: Countdown, now: number): boolean =>
  ends_at !== null && now < held_until;

/** Whole seconds, rounded up: the number reaches 0 only when the time is really over. */
export const secondsShown = (remaining_ms: number): number => Math.ceil(remaining_ms / 1000);

/** The part of the line that is still filled, 0 to 1. */
export const fractionLeft = (total_ms: number, remaining_ms: number): number =>
  total_ms <= 0 ? 0 : Math.max(0, Math.min(1, remaining_ms / total_ms));

const ANNOUNCED_SECONDS = [10, 5] as const;

/** The seconds to announce at this step (`before` null: at the start); null: none. */
export function announcedAt(before: number | null, now: number): number | null {
  if (before === null) return now;
  const passed = ANNOUNCED_SECONDS.filter((mark) => before > mark && now <= mark);
  return passed.at(-1) === undefined || now === 0 ? null : now;
}
