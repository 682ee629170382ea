import { expect, it } from "vitest";
import { shortened } from "./notification-fold.ts";

it.each([
  ["", 3, ""],
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["🦊🦊🦊", 3, "🦊🦊🦊"],
  ["🦊🦊🦊🦊", 3, "🦊🦊…"],
  ["🦊".repeat(100), 3, "🦊🦊…"],
])("of %j, %d characters are %j", (text, most, short) => {
  expect(shortened(text, most)).toBe(short);
});
