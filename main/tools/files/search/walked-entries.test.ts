import { beforeEach, expect, it, vi } from "vitest";
import { whileWatched } from "../shared-numbers.ts";

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

it("tells what has changed whenever it looks, and looks no more after the end", async () => {
  const told: number[] = [];
  const result = await whileWatched(
    (entries) => told.push(entries),
    async (walked) => {
      for (const count of [0, 5, 5, 9]) {
        Atomics.store(walked, 0, count);
        vi.advanceTimersToNextTimer();
      }
      return "found";
    },
  );
  expect(result).toBe("found");
  expect(told).toEqual([5, 9]);
  expect(vi.getTimerCount()).toBe(0);
});

it("looks no more after a failure", async () => {
  const failing = whileWatched(
    () => {},
    () => Promise.reject(new RangeError("x")),
  );
  expect(vi.getTimerCount()).toBe(1);
  await expect(failing).rejects.toThrow(RangeError);
  expect(vi.getTimerCount()).toBe(0);
});

it("keeps no program from ending", async () => {
  vi.useRealTimers();
  const before = timers();
  await whileWatched(
    () => {},
    async () => expect(timers()).toBe(before),
  );
});
