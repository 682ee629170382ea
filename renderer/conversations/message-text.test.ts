import { expect, test } from "vitest";
import { FOLDED_CHARS, FOLDED_LINES, foldedText } from "./message-text.tsx";

test("a short text is itself", () => {
  expect(foldedText("a\nb")).toBe("a\nb");
  expect(foldedText("x".repeat(FOLDED_CHARS))).toHaveLength(FOLDED_CHARS);
});

test("a long one is cut at the end of a line where one is near", () => {
  expect(foldedText("a\n".repeat(500)).split("\n")).toHaveLength(FOLDED_LINES);
  const line = `${"y".repeat(999)}\n`;
  expect(foldedText(line.repeat(10))).toBe(line.repeat(4).slice(0, -1));
  expect(foldedText("x".repeat(9_000))).toHaveLength(FOLDED_CHARS);
});

test("no character is cut in two", () => {
  const cut = foldedText(`x${"😀".repeat(4_000)}`);
  expect(cut.isWellFormed()).toBe(true);
  expect(cut).toHaveLength(FOLDED_CHARS - 1);
});
