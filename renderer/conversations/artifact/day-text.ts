import { CalendarDate } from "@internationalized/date";
import { dateFormat } from "../../text/formatters.ts";

/** YYYY-MM-DD as a date, whatever the zone. */
export function calendarDay(day: string): CalendarDate {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return new CalendarDate(year, month, date);
}

export const dayText = (language: string, day: string): string =>
  dateFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(
    calendarDay(day).toDate("UTC"),
  );
