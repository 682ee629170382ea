import { expect, test } from "vitest";
import { numberedLines } from "./numbered-lines.ts";

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
