import fc from "fast-check";
import { expect, test } from "vitest";
import type { DiffLine } from "../../app/contract/consent-preview.ts";
import { changedWords, numberedLines, pairedLines } from "./diff-lines.ts";

const lineOf = (sign: string): DiffLine => {
  const kind = sign.startsWith("+") ? "added" : sign.startsWith("-") ? "removed" : "same";
  return { kind, text: sign.slice(1) };
};
const paired = (...signs: readonly string[]) =>
  pairedLines(numberedLines({ old_start: 1, new_start: 1, lines: signs.map(lineOf) }));
const textsOf = (lines: ReturnType<typeof paired>) => lines.map(({ text }) => text);
const marked = (pieces: readonly { text: string; changed: boolean }[] | null | undefined) =>
  pieces?.map(({ text, changed }) => (changed ? `[${text}]` : text)).join("");

test("lines that were edited stand in pairs, with the words that changed", () => {
  const lines = paired(
    " begin",
    "-const port = 80;",
    "-const host = here;",
    "+const port = 8080;",
    "+const host = there;",
    " end",
  );
  expect(textsOf(lines)).toEqual([
    "begin",
    "const port = 80;",
    "const port = 8080;",
    "const host = here;",
    "const host = there;",
    "end",
  ]);
  expect(lines.map(({ pieces }) => marked(pieces))).toEqual([
    undefined,
    "const port = [80];",
    "const port = [8080];",
    "const host = [here];",
    "const host = [there];",
    undefined,
  ]);
});

test("lines that have little in common stay together, without marks", () => {
  const lines = paired("-one apple", "-two pears", "+something else", "+entirely new");
  expect(textsOf(lines)).toEqual(["one apple", "two pears", "something else", "entirely new"]);
  expect(lines.every(({ pieces }) => pieces === null)).toBe(true);
});

test("as many lines must go as come, and added ones alone are paired with nothing", () => {
  expect(textsOf(paired("-a = 1;", "+a = 2;", "+b = 3;"))).toEqual(["a = 1;", "a = 2;", "b = 3;"]);
  expect(textsOf(paired("+only", "+added"))).toEqual(["only", "added"]);
});

test.each([
  ["hidden characters", "a word\u202e here", "a word here"],
  ["a pile of marks", `a word${"\u0301".repeat(8)} here`, "a word here"],
])("with %s in one of them, words are not marked: codes stay whole", (_, before, after) => {
  expect(changedWords(before, after)).toBeNull();
});

test("every line is drawn exactly once, and its pieces are its text", () => {
  const line = fc
    .tuple(
      fc.constantFrom("+", "-", " "),
      fc.constantFrom("let a = 1", "let a = 2", "x", "", "y z"),
    )
    .map(([sign, text]) => sign + text);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (signs) => {
      const given = numberedLines({ old_start: 1, new_start: 1, lines: signs.map(lineOf) });
      const drawn = pairedLines(given);
      const keyOf = ({ kind, old_line, new_line }: (typeof given)[number]) =>
        `${kind} ${old_line} ${new_line}`;
      expect(drawn.map(keyOf).sort()).toEqual(given.map(keyOf).sort());
      for (const { text, pieces } of drawn) {
        if (pieces !== null) expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      }
    }),
  );
});

test("each line has its number in the old text, in the new one, or in both", () => {
  const lines = numberedLines({
    old_start: 4,
    new_start: 6,
    lines: [
      { kind: "same", text: "a" },
      { kind: "removed", text: "b" },
      { kind: "added", text: "c" },
      { kind: "added", text: "d" },
      { kind: "same", text: "e", no_newline: true },
    ],
  });
  expect(lines.map(({ old_line, new_line }) => [old_line, new_line])).toEqual([
    [4, 6],
    [5, null],
    [null, 7],
    [null, 8],
    [6, 9],
  ]);
  expect(lines[4]).toMatchObject({ text: "e", no_newline: true });
});
