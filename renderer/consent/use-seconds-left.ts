import { steadyClock, useNow } from "../parts/use-now.ts";
import { countdownOf, remainingAt, secondsShown, standsStill } from "../state/countdown.ts";
import type { ReceivedCard } from "../state/store.ts";

const TICK_MS = 200;

interface SecondsLeft {
  /** What the ring shows; null if there is no countdown. */
  readonly timed: {
    readonly total_ms: number;
    readonly remaining_ms: number;
    readonly running: boolean;
    /** It stands still, because the person reads. */
    readonly held: boolean;
  } | null;
  /** Out of time: the host decides now, and has reported it or is about to. */
  readonly over: boolean;
  /** Seconds for the announcements; null if there is no countdown. */
  readonly announced: number | null;
}

export function useSecondsLeft({ card, received_at }: ReceivedCard): SecondsLeft {
  const now = useNow(steadyClock, TICK_MS);
  if (card.timeout_ms === null) return { timed: null, over: false, announced: null };
  const countdown = countdownOf(card.timeout_ms, card.remaining_ms, received_at, card.held_ms);
  const remaining_ms = remainingAt(countdown, now);
  const running = countdown.ends_at !== null;
  const held = standsStill(countdown, now);
  return {
    timed: { total_ms: card.timeout_ms, remaining_ms, running, held },
    over: remaining_ms === 0,
    announced: secondsShown(remaining_ms),
  };
}
