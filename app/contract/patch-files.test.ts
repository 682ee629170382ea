import { describe, expect, it } from "vitest";
import { patchedFiles } from "./patch-files.ts";

const patched = (lines: readonly string[], ...paths: string[]) =>
  patchedFiles({ patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"), paths });

describe("the files of a patch", () => {
  it("are those that it adds, changes, moves and deletes, with every line of theirs", () => {
    const files = patched(
      [
        "*** Add File: new.ts",
        "+one",
        "+",
        "*** Update File: old.ts",
        "*** Move to: other.ts",
        "@@ class A",
        " same",
        "-before",
        "+after",
        "@@",
        "",
        "+last",
        "*** End of File",
        "*** Delete File: gone.ts",
      ],
      "/p/new.ts",
      "/p/old.ts",
      "/p/other.ts",
      "/p/gone.ts",
    );
    const line = (kind: string, text: string) => ({ kind, text });
    expect(files).toEqual([
      {
        change: "add",
        path: "/p/new.ts",
        to: null,
        hunks: [{ at: "", lines: [line("added", "one"), line("added", "")] }],
      },
      {
        change: "update",
        path: "/p/old.ts",
        to: "/p/other.ts",
        hunks: [
          {
            at: "class A",
            lines: [line("same", "same"), line("removed", "before"), line("added", "after")],
          },
          { at: "", lines: [line("same", ""), line("added", "last")] },
        ],
      },
      { change: "delete", path: "/p/gone.ts", to: null, hunks: [] },
    ]);
  });

  it.each<[string, string[]]>([
    ["a line that no patch has", ["*** Update File: a", "what is this"]],
    ["a line before any file", ["+one", "*** Update File: a"]],
    ["lines of a deleted file", ["*** Delete File: a", "-one"]],
    ["a new file that has something removed", ["*** Add File: a", "-one"]],
    ["a mark behind a space", ["*** Update File: a", "+one", " *** Delete File: b"]],
    ["a move after a change", ["*** Update File: a", "+one", "*** Move to: b"]],
  ])("are not guessed from %s", (_, lines) => {
    expect(patched(lines, "/p/a")).toBe(null);
  });

  it("are not guessed where two names are one path, or without its marks", () => {
    expect(patched(["*** Add File: a", "+1", "*** Add File: ./a", "+2"], "/p/a")).toBe(null);
    expect(patchedFiles({ patch: "*** Add File: a\n+1", paths: ["/p/a"] })).toBe(null);
  });
});
