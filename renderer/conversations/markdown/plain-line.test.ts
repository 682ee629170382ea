import { expect, test } from "vitest";
import { plainLine } from "./plain-line.ts";

test.each([
  [
    "Done:\n\n- you **call Ada** about _it_\n- [x] `npm test`",
    "Done: you call Ada about it ☑ npm test",
  ],
  ["## Green\n\n| a | b |\n| - | - |\n| 1 | 2 |", "Green a b 1 2"],
  ["[the report](https://example.com/x) and ![a plan](p.png)", "the report and a plan"],
  ["```sh\nnpm test\n```\n> quoted  \nagain", "npm test quoted again"],
  ["<b>no bold</b> & 2 * 3 * 4", "<b>no bold</b> & 2 * 3 * 4"],
  ["told[^1]\n\n[^1]: a note", "told1 a note"],
  ["un**break**able", "unbreakable"],
])("%j says %j", (text, line) => {
  expect(plainLine(text)).toBe(line);
});

test("what cannot be seen stays, to be drawn for what it is", () => {
  expect(plainLine("**a\u202eb**\u200b c")).toBe("a\u202eb\u200b c");
});

test("a text that is too much to be read as Markdown is itself, on one line", () => {
  const much = `${"*".repeat(3_000)}\nb`;
  expect(plainLine(much)).toBe(much.replace("\n", " "));
});
