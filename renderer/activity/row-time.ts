import { dateFormat, relativeTimeFormat } from "../text/formatters.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What a line says of its time: near things by their distance, others by their date. */
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

/** A clock that was turned back makes no line lie in the future. */
function distance(language: string, ago_ms: number): string {
  const words = relativeTimeFormat(language, { numeric: "auto", style: "short" });
  const ago = Math.max(0, ago_ms);
  if (ago < MINUTE) return words.format(0, "second");
  if (ago < HOUR) return words.format(-Math.floor(ago / MINUTE), "minute");
  return words.format(-Math.floor(ago / HOUR), "hour");
}
