import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasUnseen, visibleSegments, visibleString } from "./visible-text.ts";

const escapes = (text: string) => visibleSegments(text).filter(({ kind }) => kind === "escape");

test("every control and format character is escaped, in the whole of Unicode", () => {
  const missed: string[] = [];
  let seen = 0;
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (!/\p{Cc}|\p{Cf}/u.test(character)) continue;
    seen += 1;
    const wanted = `a\\u{${code.toString(16).padStart(4, "0")}}b`;
    if (visibleString(`a${character}b`) !== wanted) missed.push(code.toString(16));
  }
  expect(seen).toBeGreaterThan(200);
  expect(missed).toEqual([]);
});

test("what no font can draw is escaped, with the selector that belongs to it", () => {
  const segments = visibleSegments("a\u{12000}\u{1f600}\ufe0fb", false, (one) => one <= "\u{ff}");
  expect(segments.map(({ text }) => text).join("")).toBe("a\\u{12000}\\u{1f600}\\u{fe0f}b");
});

test("marks piled on one letter are drawn beside it, past what any script needs", () => {
  const pile = `a${"\u0301".repeat(8)}b\u0301`;
  expect(visibleString(pile)).toBe(`a${"\u0301".repeat(6)}${"\\u{0301}".repeat(2)}b\u0301`);
  expect(hasUnseen(pile)).toBe(true);
  expect(hasUnseen("\u0e17\u0e35\u0e48 \u05e9\u05c1\u05bc\u05b8 \u1ec7")).toBe(false);
});

test("a mark is escaped where no letter of its own is drawn before it", () => {
  expect(visibleString("\u0301a")).toBe("\\u{0301}a");
  expect(visibleString("a\u200b\u0301")).toBe("a\\u{200b}\\u{0301}");
  const marksOnly = (one: string) => one <= "\u{ff}" || /\p{M}/u.test(one);
  const segments = visibleSegments("\u0e17\u0e35\u0e48", false, marksOnly);
  expect(segments.map(({ kind }) => kind)).toEqual(["escape", "escape", "escape"]);
});

test.each([
  ["line separator", "\u2028"],
  ["paragraph separator", "\u2029"],
  ["blank Braille", "\u2800"],
  ["lone high surrogate", "\ud800"],
  ["lone low surrogate", "\udfff"],
  ["tag letter", "\u{e0041}"],
  ["variation selector on nothing", "\ufe0f"],
  ["variation selector supplement", "\u{e0100}"],
  ["Hangul filler", "\u3164"],
  ["grapheme joiner", "\u034f"],
  ["no-break space", "\u00a0"],
  ["private use", "\ue000"],
])("%s is escaped", (_name, character) => {
  expect(escapes(`a${character}b`)).toHaveLength(1);
});

test.each(["plain words", "你好，世界", "naïve café", "👩 and ❤️", "日本語 한국어", "مرحبا", "x̂"])(
  "%j is left as it is",
  (text) => {
    expect(visibleSegments(text)).toEqual([{ kind: "plain", text }]);
  },
);

test("line breaks and tabs keep their effect in blocks, and nowhere else", () => {
  expect(visibleSegments("a\n\tb", true).map(({ kind }) => kind)).toEqual([
    "plain",
    "break",
    "break",
    "plain",
  ]);
  expect(visibleString("a\n\tb")).toBe("a\\u{000a}\\u{0009}b");
  expect(hasUnseen("a\n\tb")).toBe(false);
  expect(hasUnseen("a\rb")).toBe(true);
});

test("nothing of the text is lost or added, whatever the naughty string", (ctx) => {
  const folder =
    process.env.CONSENTRY_VECTORS ??
    fileURLToPath(new URL("../../../shared/vectors", import.meta.url));
  const file = `${folder}/naughty-strings/blns.json`;
  if (!existsSync(file)) ctx.skip("the naughty strings are not on this machine");
  const strings = JSON.parse(readFileSync(file, "utf8")) as string[];
  expect(strings.length).toBeGreaterThan(400);
  for (const text of strings) {
    const drawn = visibleSegments(text, true);
    const back = drawn.map((segment) =>
      segment.kind === "escape"
        ? String.fromCodePoint(Number.parseInt(segment.text.slice(3, -1), 16))
        : segment.text,
    );
    expect(back.join("")).toBe(text);
    for (const segment of drawn) {
      if (segment.kind === "plain")
        expect(segment.text).not.toMatch(/\p{Cc}|\p{Cf}|[\u2028\u2029]/u);
    }
  }
});
