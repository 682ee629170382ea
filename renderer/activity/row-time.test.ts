import { expect, test } from "vitest";
import { rowTime } from "./row-time.ts";

const NOW = new Date(2026, 6, 9, 15, 30).getTime();
const first = (at: number, language = "en") => rowTime(language, at, NOW).first;

test("today is told by its distance", () => {
  expect(first(NOW - 5_000)).toBe("now");
  expect(first(NOW - 120_000)).toBe("2 min. ago");
  expect(first(NOW - 3 * 3_600_000)).toBe("3 hr. ago");
  expect(first(NOW - 120_000, "zh-CN")).toBe("2分钟前");
});

test("a line that the clock put into the future is told as now", () => {
  expect(first(NOW + 60_000)).toBe("now");
});

test("another day is told by its date, with the time beside it", () => {
  const { first, second } = rowTime("en", new Date(2026, 6, 8, 9, 5, 7).getTime(), NOW);
  expect(first).toBe("Jul 8, 2026");
  expect(second).toMatch(/^9:05:07\sAM$/);
});
