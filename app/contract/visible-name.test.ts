import { expect, test } from "vitest";
import { isVisibleName } from "./visible-name.ts";

test.each([
  ["a space", " "],
  ["a no-break space", "\u00a0"],
  ["a joiner", "\u200d"],
  ["a Hangul filler", "\u3164"],
  ["a halfwidth Hangul filler", "\uffa0"],
  ["a Hangul choseong filler", "\u115f"],
  ["a blank Braille cell", "\u2800"],
  ["a null notehead", "\u{1d159}"],
  ["a variation selector", "\ufe0f"],
  ["a mark with no letter", "\u0301"],
  ["a direction", "\u202e"],
  ["an unassigned character", "\u{e0fff}"],
  ["several of them", " \u3164\u200d\u2800 "],
])("%s shows nothing", (_name, text) => {
  expect(isVisibleName(text)).toBe(false);
});

test.each(["a", "7", "你", "아", "é", "e\u0301", "👩‍💻", "-", "\u3164a"])(
  "%j shows something",
  (text) => {
    expect(isVisibleName(text)).toBe(true);
  },
);
