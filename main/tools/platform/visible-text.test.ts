import { expect, it } from "vitest";
import { visibleText } from "./notification-fold.ts";

it.each([
  ["a\u202eb", "a\\u{202e}b"],
  ["\u0000\u0007\u001b[31m", "\\u{0}\\u{7}\\u{1b}[31m"],
  ["two\nlines\r\t", "two\\u{a}lines\\u{d}\\u{9}"],
  ["\u2066x\u2069\u200f\u061c", "\\u{2066}x\\u{2069}\\u{200f}\\u{61c}"],
  ["\u2028\u2029\u0085", "\\u{2028}\\u{2029}\\u{85}"],
  ["\ufeffz\u200bz", "\\u{feff}z\\u{200b}z"],
  ["\u{e0041}", "\\u{e0041}"],
  ["\ud800!", "\\u{d800}!"],
])("writes %j as %j", (text, visible) => {
  expect(visibleText(text)).toBe(visible);
});

it("leaves words of every script and emoji alone", () => {
  const text = "Grüße, 你好, שלום, مرحبا, 👩‍👩‍👧 <b>&amp; \\n";
  expect(visibleText(text)).toBe(text);
});
