import { expect, test } from "vitest";
import { allowedSeconds } from "./timeout-setting.tsx";

test.each([
  ["30", 30],
  ["300", 300],
  ["29", null],
  ["301", null],
  ["45.5", null],
  ["", null],
  ["abc", null],
])("%j seconds", (typed, allowed) => {
  expect(allowedSeconds(typed)).toBe(allowed);
});
