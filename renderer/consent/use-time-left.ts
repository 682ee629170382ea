import { useEffect, useState } from "react";
import { steadyClock, useNow } from "../parts/use-now.ts";
import { type Countdown, countdownOf, remainingAt, standsStill } from "../state/countdown.ts";
import type { ReceivedCard } from "../state/store.ts";

const TICK_MS = 200;

interface TimeLeft {
  readonly remaining_ms: number;
  /** False until the card has been seen. */
  readonly running: boolean;
  /** It stands still, because the person reads. */
  readonly held: boolean;
}

const countdownOfCard = ({ card, received_at }: ReceivedCard): Countdown | null =>
  card.timeout_ms === null
    ? null
    : countdownOf(card.timeout_ms, card.remaining_ms, received_at, card.held_ms);

/**
 * The time left, null if there is no countdown. Only for what shows the time: it draws its component
 * again at every tick.
 */
export function useTimeLeft(received: ReceivedCard): TimeLeft | null {
  const now = useNow(steadyClock, TICK_MS);
  const countdown = countdownOfCard(received);
  return countdown === null
    ? null
    : {
        remaining_ms: remainingAt(countdown, now),
        running: countdown.ends_at !== null,
        held: standsStill(countdown, now),
      };
}

/** Out of time: the host decides now, and has reported it or is about to. */
export function useTimeOver(received: ReceivedCard): boolean {
  const ends_at = countdownOfCard(received)?.ends_at ?? null;
  const [over, setOver] = useState(false);
  useEffect(() => {
    setOver(false);
    if (ends_at === null) return;
    const timer = setTimeout(() => setOver(true), Math.max(0, ends_at - steadyClock()));
    return () => clearTimeout(timer);
  }, [ends_at]);
  return over;
}
