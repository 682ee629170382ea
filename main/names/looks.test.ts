import { expect, test } from "vitest";
import { Looks, looksOf, markOf } from "./looks.ts";

const areAlike = (one: string, other: string): boolean =>
  looksOf(one).some((look) => looksOf(other).includes(look));

test.each([
  ["Coco", "\u0421\u043e\u0441\u043e"],
  ["Coco", "C\u03bfc\u03bf"],
  ["Coco", "  COCO "],
  ["Coco", "\uff23\uff4f\uff43\uff4f"],
  ["Coco", "\u{1d402}\u{1d428}\u{1d41c}\u{1d428}"],
  ["Coco", "Co\u200dco"],
  ["Coco", "Co\u3164co"],
  ["Coco", "C0c0"],
  ["Helper", "HeIper"],
  ["Helper", "He1per"],
  ["Helper", "HELPER"],
  ["FILE", "file"],
  ["Mia", "rnia"],
  ["\u041c\u0438\u0440\u0430", "\u043c\u0438\u0440\u0430"],
  ["\u30ab\u30ca", "\u529b\u30ca"],
  ["caf\u00e9", "cafe\u0301"],
])("%j and %j look alike", (one, other) => {
  expect(areAlike(one, other)).toBe(true);
});

test.each([
  ["Coco", "Cocoa"],
  ["Coco", "Kiki"],
  ["\u52a9\u624b", "\u52a9\u7406"],
  ["Reader", "Writer"],
])("%j and %j do not", (one, other) => {
  expect(areAlike(one, other)).toBe(false);
});

test("a name is shared when somebody else's looks like it, and never for being said twice", () => {
  const looks = new Looks<string>();
  looks.add("a", "Coco");
  looks.add("a", "Coco");
  looks.add("b", "Reader");
  expect(looks.isShared("a", "Coco")).toBe(false);
  looks.add("c", "\u0421\u043e\u0441\u043e");
  expect(looks.isShared("a", "Coco")).toBe(true);
  expect(looks.isShared("c", "\u0421\u043e\u0441\u043e")).toBe(true);
  expect(looks.isShared("b", "Reader")).toBe(false);
  expect([...looks.holders("COCO")]).toEqual(["a", "c"]);
});

test.each([
  ["C\u043eco", "mixed_scripts"],
  ["\u0421\u043e\u0441\u043e", "looks_latin"],
  ["\u0421\u043e-c\u043e", "mixed_scripts"],
  ["\u0421\u043e co", "looks_latin"],
  ["\u{1d402}\u{1d428}", "looks_latin"],
  ["Coco", null],
  ["Köln-Öffner 7", null],
  ["\u041c\u043e\u0441\u043a\u0432\u0430", null],
  ["\u041f\u043e\u043c\u043e\u0449\u043d\u0438\u043a \u0430", null],
  ["カタカナと漢字のAI", null],
  ["中文 Agent 助手", null],
  ["漢字와 한국어", null],
  ["Ελληνικά", null],
] as const)("the mark of %j", (name, mark) => {
  expect(markOf(name)).toBe(mark);
});
