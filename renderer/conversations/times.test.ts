import { expect, test } from "vitest";
import { dayName, isSameDay, shortTime } from "./times.ts";

const at = (year: number, month: number, day: number, hour: number): number =>
  new Date(year, month - 1, day, hour).getTime();

test("days begin at midnight of the person's own time zone", () => {
  expect(isSameDay(at(2026, 5, 2, 0), at(2026, 5, 2, 23))).toBe(true);
  expect(isSameDay(at(2026, 5, 2, 23), at(2026, 5, 3, 0))).toBe(false);
});

test("today and yesterday have names, other days their date", () => {
  const now = at(2026, 5, 2, 1);
  expect(dayName("en", at(2026, 5, 2, 0), now)).toBe("Today");
  expect(dayName("de", at(2026, 5, 1, 23), now)).toBe("Gestern");
  expect(dayName("en", at(2026, 4, 30, 23), now)).toBe("Thursday, April 30, 2026");
});

test("the list has the time of today, the day of this year, the date of another", () => {
  const now = at(2026, 5, 2, 12);
  expect(shortTime("en", at(2026, 5, 2, 9), now)).toMatch(/^9:00\sAM$/);
  expect(shortTime("en", at(2026, 4, 1, 9), now)).toBe("Apr 1");
  expect(shortTime("en", at(2025, 4, 1, 9), now)).toBe("Apr 1, 2025");
});
