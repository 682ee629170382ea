import { expect, it } from "vitest";
import { BACKOFF_CAP_MS, reconnectDelayMs } from "./connection.ts";

it("waits 1, 2, 4 … 30 s, less up to a quarter by chance", () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((attempt) => reconnectDelayMs(attempt, 0))).toEqual([
    1_000,
    2_000,
    4_000,
    8_000,
    16_000,
    30_000,
    BACKOFF_CAP_MS,
  ]);
  expect(reconnectDelayMs(0, 0.999)).toBeGreaterThanOrEqual(750);
});
