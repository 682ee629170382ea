import { expect, test } from "vitest";
import { rowTime } from "./row-time.ts";

const NOW = new Date(2026, 6, 8, 16, 52, 30).getTime();

test.each([
  ["en", "09:05 AM", "Jul 7, 11:59 PM"],
  ["de", "09:05", "7. Juli, 23:59"],
  ["zh-CN", "09:05", "7月7日 23:59"],
])(
  "in %s a line of today has the clock's time, an earlier one its day too",
  (language, today, before) => {
    expect(rowTime(language, new Date(2026, 6, 8, 9, 5).getTime(), NOW)).toBe(today);
    expect(rowTime(language, new Date(2026, 6, 7, 23, 59).getTime(), NOW)).toBe(before);
  },
);
