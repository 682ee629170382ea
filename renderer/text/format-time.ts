import { dateFormat, numberFormat } from "./formatters.ts";

const part = (language: string, value: number, unit: "hour" | "minute" | "second"): string =>
  numberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value);

/** Time left in its two largest units: "23 hr 4 min", "4 min 10 sec", "9 sec". */
export function timeLeft(language: string, left_ms: number): string {
  const seconds = Math.max(0, Math.ceil(left_ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours > 0) return `${part(language, hours, "hour")} ${part(language, minutes, "minute")}`;
  if (minutes === 0) return part(language, seconds, "second");
  return `${part(language, minutes, "minute")} ${part(language, seconds % 60, "second")}`;
}

export const dateTime = (language: string, at: number): string =>
  dateFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(at);

/** For what need not be known to the second. */
export const dateAndMinute = (language: string, at: number): string =>
  dateFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(at);

/** The time if it is today, otherwise with the date. */
export function shortTime(language: string, at: number, now: number): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return dateFormat(
    language,
    sameDay ? { timeStyle: "medium" } : { dateStyle: "short", timeStyle: "short" },
  ).format(at);
}

export function duration(language: string, duration_ms: number): string {
  const inSeconds = duration_ms >= 1000;
  return numberFormat(language, {
    style: "unit",
    unit: inSeconds ? "second" : "millisecond",
    unitDisplay: "short",
    maximumFractionDigits: inSeconds ? 1 : 0,
  }).format(inSeconds ? duration_ms / 1000 : duration_ms);
}
