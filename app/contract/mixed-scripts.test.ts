import { expect, test } from "vitest";
import { mixedScriptWords, scriptsOf } from "./mixed-scripts.ts";

test.each([
  ["/home/mia/p\u0430ypal/notes", ["p\u0430ypal"]],
  ["https://ex\u0430mple.com/x", ["ex\u0430mple"]],
  ["/srv/\u03bfmega-omega", ["\u03bfmega"]],
  ["C\u03bfc\u03bf", ["C\u03bfc\u03bf"]],
  ["\u0421oco und Coco", ["\u0421oco"]],
  // Bengali beside Gurmukhi, whose digits look alike.
  ["\u0995\u0a15", ["\u0995\u0a15"]],
  // Kana beside Hangul, and Cyrillic beside Han: no language is written so.
  ["\u30ab\uac00", ["\u30ab\uac00"]],
  ["\u0434\u6587", ["\u0434\u6587"]],
  ["/home/张三/文档/report2.txt", []],
  ["/Users/太郎/カタカナひらがな漢字", []],
  ["Café寿司バー", []],
  ["AI助手", []],
  ["漢字한국어Agent", []],
  ["ㄅㄆ漢字", []],
  ["コーヒー", []],
  ["/дом/file.txt", []],
  ["Мой Helper", []],
  ["https://example.com/naïve", []],
  ["m²", []],
  ["👩‍💻 7", []],
])("mixed scripts of %j", (text, words) => {
  expect(mixedScriptWords(text)).toEqual(words);
});

test("every letter of Unicode is of a script that is known here", () => {
  const unknown: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (!/\p{L}/u.test(character)) continue;
    if (scriptsOf(character)?.includes("Zzzz")) unknown.push(code.toString(16));
  }
  expect(unknown).toEqual([]);
});
