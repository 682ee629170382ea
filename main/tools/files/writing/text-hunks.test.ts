import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textHunks } from "./content-preview.ts";
import { applyHunks } from "./testing/apply-hunks.ts";

const line = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "b",
    "\r",
    "a\r",
    "\\",
    "\\ No newline at end of file",
    "+a",
    "-a",
    " a",
  ),
  fc.constantFrom("\ufeffa", "\u2028", "\u0085", "\f", "\v", "é", "😀", "--- a", "@@ -1 +1 @@"),
  fc.string({ unit: "binary" }),
);
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
  .map(([lines, ended]) => lines.join("\n") + (ended ? "\n" : ""));

/** Two texts that have much in common, like a file before and after an edit. */
const alike = fc
  .tuple(fc.array(line, { maxLength: 60 }), fc.array(fc.tuple(fc.nat(), line), { maxLength: 6 }))
  .map(([lines, changes]) => {
    const changed = [...lines];
    for (const [at, by] of changes) changed.splice(at % (changed.length + 1), at % 3, by);
    return [lines.join("\n"), changed.join("\n")] as const;
  });

describe("the difference of two texts", () => {
  it("makes one of the other to the last character, whatever they are", () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(text, text), alike), ([before, after]) => {
        const hunks = textHunks(before, after);
        expect(hunks).not.toBeNull();
        expect(applyHunks(before, hunks ?? [])).toBe(after);
      }),
      { numRuns: 1000 },
    );
  });

  it("is nothing for equal texts", () => {
    expect(textHunks("a\n", "a\n")).toEqual([]);
    expect(textHunks("", "")).toEqual([]);
  });

  it("shows three lines around a change, and a lost line feed at the end", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    const hunks = textHunks(before, "1\n2\n3\n4\nfive\n6\n7\n8\n9");
    expect(hunks).toEqual([
      {
        old_start: 2,
        new_start: 2,
        lines: [
          { kind: "same", text: "2" },
          { kind: "same", text: "3" },
          { kind: "same", text: "4" },
          { kind: "removed", text: "5" },
          { kind: "added", text: "five" },
          { kind: "same", text: "6" },
          { kind: "same", text: "7" },
          { kind: "same", text: "8" },
          { kind: "removed", text: "9" },
          { kind: "added", text: "9", no_newline: true },
        ],
      },
    ]);
  });

  it("is the whole of both where finding the smallest would take too long", () => {
    const before = Array.from({ length: 2500 }, (_, index) => `a${index}\n`).join("");
    const after = before.replaceAll("a", "b");
    const hunks = textHunks(before, after) ?? [];
    expect(hunks).toHaveLength(1);
    expect(applyHunks(before, hunks)).toBe(after);
  });

  it("is not cut: more than can be shown is not shown at all", () => {
    expect(textHunks("", "x\n".repeat(10_000))).toHaveLength(1);
    expect(textHunks("", "x\n".repeat(10_001))).toBeNull();
    expect(textHunks("", "x".repeat(262_144))).toHaveLength(1);
    expect(textHunks("x", "y".repeat(262_144))).toBeNull();
  });
});
