import { expect, test } from "vitest";
import { deniesFirst } from "./platform-order.ts";

test.each([
  ["Linux x86_64", true],
  ["MacIntel", true],
  ["Win32", false],
  ["", true],
])("on %j refusing comes first: %j", (platform, first) => {
  expect(deniesFirst(platform)).toBe(first);
});
