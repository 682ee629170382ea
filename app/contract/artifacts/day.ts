const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether this is a day of the Gregorian calendar, as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const [, year = "", month = "", day = ""] = DAY.exec(text) ?? [];
  const most = LONGEST[Number(month) - 1];
  if (most === undefined || Number(year) === 0) return false;
  const last = month === "02" && !isLeap(Number(year)) ? 28 : most;
  return Number(day) >= 1 && Number(day) <= last;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
