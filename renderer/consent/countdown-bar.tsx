import { useEffect, useRef, useState } from "react";
import { useTexts } from "../language.tsx";
import { steadyClock, useNow } from "../parts/use-now.ts";
import {
  announcedAt,
  type Countdown,
  countdownOf,
  fractionLeft,
  remainingAt,
  secondsShown,
  standsStill,
} from "../state/countdown.ts";
import type { ReceivedCard } from "../state/store.ts";
import { timeLeft } from "../text/format.ts";

const LATE_SECONDS = 10;
/** From where on the seconds of a long time are told. */
const TOLD_SECONDS = 30;

interface Timed {
  readonly received: ReceivedCard;
}

/** For an agent of the hub from the start; for one that waits longer, in the last seconds. */
export function CountdownBar({ received }: Timed) {
  const { t, language } = useTexts();
  const time = useTimeLeft(received);
  const total_ms = received.card.timeout_ms;
  if (time === null || total_ms === null) return null;
  const { remaining_ms, running, held } = time;
  const seconds = secondsShown(remaining_ms);
  const left = t("consent.seconds_left", { count: seconds });
  const words = !running ? t("consent.not_started") : held ? t("consent.held", { left }) : left;
  const isTold = received.card.key_mark.kind !== "none" || seconds <= TOLD_SECONDS;
  return (
    <div
      className="countdown"
      role="timer"
      aria-label={t("consent.countdown_name")}
      data-testid="consent-countdown"
      data-seconds={seconds}
      data-running={running}
      data-held={held}
      data-late={running && seconds <= LATE_SECONDS}
      title={words}
    >
      <span className="countdown-line" aria-hidden="true">
        <span style={{ inlineSize: `${fractionLeft(total_ms, remaining_ms) * 100}%` }} />
      </span>
      {isTold ? <span aria-hidden="true">{timeLeft(language, remaining_ms)}</span> : null}
      <span className="unseen">{words}</span>
    </div>
  );
}

interface AnnouncementProps extends Timed {
  readonly agent: string;
  readonly tool: string;
}

/** Announces the time to screen readers at the start, at 10 s and at 5 s. */
export function Announcement({ received, agent, tool }: AnnouncementProps) {
  const { t } = useTexts();
  const time = useTimeLeft(received);
  const seconds = time === null ? null : secondsShown(time.remaining_ms);
  const before = useRef<number | null>(null);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (seconds === null) {
      setSaid(t("consent.announce_untimed", { agent, tool }));
      return;
    }
    const now = announcedAt(before.current, seconds);
    if (now !== null) {
      setSaid(
        before.current === null
          ? t("consent.announce", { agent, tool, count: now })
          : t("consent.seconds_left", { count: now }),
      );
    }
    before.current = seconds;
  }, [t, agent, tool, seconds]);
  return (
    <p className="unseen" role="status" aria-live="assertive">
      {said}
    </p>
  );
}

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

/** The time left; null: no countdown. Draws its component again at every tick. */
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
