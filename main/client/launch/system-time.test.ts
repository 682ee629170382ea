import { afterEach, expect, test, vi } from "vitest";
import { systemTime } from "./system-time.ts";

afterEach(() => vi.useRealTimers());

const MONTH_MS = 30 * 24 * 3_600_000;

test("a wait longer than one timer can hold is still waited for", () => {
  vi.useFakeTimers();
  let ran = 0;
  systemTime().scheduler.after(MONTH_MS, () => {
    ran += 1;
  });
  vi.advanceTimersByTime(MONTH_MS - 1);
  expect(ran).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ran).toBe(1);
});

test("a cancelled wait never ends, at whatever point it is cancelled", () => {
  vi.useFakeTimers();
  let ran = 0;
  const cancel = systemTime().scheduler.after(MONTH_MS, () => {
    ran += 1;
  });
  vi.advanceTimersByTime(MONTH_MS - 1);
  cancel();
  vi.advanceTimersByTime(MONTH_MS);
  expect(ran).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
