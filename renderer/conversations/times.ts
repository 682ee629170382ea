import { dateFormat, relativeTimeFormat } from "../text/format.ts";

const DAY = 86_400_000;

const dayOf = (at: number): number => {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
};

export const isSameDay = (one: number, other: number): boolean => dayOf(one) === dayOf(other);

export const clockTime = (language: string, at: number): string =>
  dateFormat(language, { timeStyle: "short" }).format(at);

/** "Today" and "yesterday" in the person's language, otherwise the date. */
export function dayName(language: string, at: number, now: number): string {
  const days = Math.round((dayOf(at) - dayOf(now)) / DAY);
  if (days === 0 || days === -1) {
    const name = relativeTimeFormat(language, { numeric: "auto" }).format(days, "day");
    return name.slice(0, 1).toLocaleUpperCase(language) + name.slice(1);
  }
  return dateFormat(language, { dateStyle: "full" }).format(at);
}

/** For the list: the time if it is today, otherwise the day. */
export function shortTime(language: string, at: number, now: number): string {
  if (isSameDay(at, now)) return clockTime(language, at);
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return dateFormat(language, {
    month: "short",
    day: "numeric",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(at);
}
