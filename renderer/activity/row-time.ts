import { dateFormat } from "../text/format.ts";

/** A line's time: of today the clock's, before that with the day. */
export function rowTime(language: string, at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const day = isToday ? {} : ({ month: "short", day: "numeric" } as const);
  return dateFormat(language, { ...day, hour: "2-digit", minute: "2-digit" }).format(at);
}
