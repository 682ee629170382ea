import { expect, it } from "vitest";
import { LIMITS } from "./limits.ts";
import { arePersonsWords, personsWords } from "./persons-words.ts";

it.each([
  ["Use notes.md instead.", "Use notes.md instead."],
  ["  two\r\nlines\u2028and a third \t ", "two\nlines\nand a third"],
  ["a\u202eb\u0000c\u200bd", "abcd"],
  ["می\u200cخواهم 👩\u200d💻", "می\u200cخواهم 👩\u200d💻"],
  ["half \ud800 a pair", "half \ufffd a pair"],
])("%j reaches the agent as %j", (typed, sent) => {
  expect(personsWords(typed)).toBe(sent);
  expect(arePersonsWords(sent)).toBe(true);
});

it.each(["", " \n\t", "\u200b\u202e"])("nothing is left of %j", (typed) => {
  expect(personsWords(typed)).toBeUndefined();
});

it("is cut at its limit, never through a character", () => {
  const most = LIMITS.personsWordsChars;
  expect(personsWords("a".repeat(most + 1))).toBe("a".repeat(most));
  expect(personsWords(`${"a".repeat(most - 1)}😀`)).toBe("a".repeat(most - 1));
});

it.each([7, null, "", " padded ", "a\u202eb", "a".repeat(LIMITS.personsWordsChars + 1)])(
  "an answer that carries %j does not carry such words",
  (odd) => {
    expect(arePersonsWords(odd)).toBe(false);
  },
);
