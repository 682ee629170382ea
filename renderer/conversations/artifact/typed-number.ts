import { CalendarDate } from "@internationalized/date";
import { decimalForm } from "../../../app/contract/strict-json.ts";
import { dateFormat } from "../../text/format.ts";

/** The decimal mark is a point or a comma: people do not always write in the page's language. */
const NUMBER = /^-?(?:\d+(?:[.,]\d+)?|[.,]\d+)$/;
/** "1,000" is one thousand to some people, and one to others. */
const AMBIGUOUS = /^(-?[1-9]\d{0,2})([.,]\d{3})$/;

/** Null: nothing was typed. The text itself: it is not certainly one number, or not exactly a double. */
export function readNumber(typed: string): number | string | null {
  const text = typed.trim();
  if (text === "") return null;
  if (!NUMBER.test(text) || AMBIGUOUS.test(text)) return typed;
  const plain = text.replace(",", ".").replace(/^-?/, "$&0");
  const value = Number(plain);
  const isExact = decimalForm(plain) === decimalForm(String(value));
  return isExact && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : typed;
}

/** How to write each of the two numbers that the text can mean; null: it does not mean two. */
export function twoMeanings(
  typed: string,
): { readonly whole: string; readonly decimal: string } | null {
  const [, digits = "", rest = ""] = AMBIGUOUS.exec(typed.trim()) ?? [];
  if (rest === "") return null;
  const short = rest.replace(/[.,]?0+$/, "");
  return { whole: digits + rest.slice(1), decimal: digits + (short === rest ? `${rest}0` : short) };
}

/** YYYY-MM-DD as a date, whatever the zone. */
export function calendarDay(day: string): CalendarDate {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return new CalendarDate(year, month, date);
}

export const dayText = (language: string, day: string): string =>
  dateFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(
    calendarDay(day).toDate("UTC"),
  );
