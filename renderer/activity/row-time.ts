import { dateFormat, relativeTimeFormat } from "../text/format.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A line's time: recent times relative to now, others as dates. */
export interface RowTime {
  readonly first: string;
  readonly second: string;
}

export function rowTime(language: string, at: number, now: number): RowTime {
  const clock = dateFormat(language, { timeStyle: "medium" }).format(at);
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday
    ? { first: distance(language, now - at), second: clock }
    : {
        first: dateFormat(language, { dateStyle: "medium" }).format(at),
        second: clock,
      };
}

/** If the clock was set back, no line appears to be in the future. */
function distance(language: string, ago_ms: number): string {
  const words = relativeTimeFormat(language, { numeric: "auto", style: "short" });
  const ago = Math.max(0, ago_ms);
  if (ago < MINUTE) return words.format(0, "second");
  if (ago < HOUR) return words.format(-Math.floor(ago / MINUTE), "minute");
  return words.format(-Math.floor(ago / HOUR), "hour");
}
