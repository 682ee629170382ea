import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EDIT_FILE_MAX_BYTES } from "../../../../app/contract/tools/edit-file.ts";
import { previewEdit } from "../../edit-file.ts";
import { wordOf } from "../testing/file-harness.ts";
import { applyHunks } from "./testing/apply-hunks.ts";
import { ChangingHarness } from "./testing/changing-harness.ts";

const harness = ChangingHarness.forEachTest();

const file = (): string => harness.inside("file.txt");
const change = (old_text: string, new_text: string) => [{ old_text, new_text }];
const word = (edits = change("x", "y")) => wordOf(() => harness.edit(file(), edits));

describe("editing a file", () => {
  it("keeps its byte order mark, its line ends and its permissions", () => {
    writeFileSync(file(), "\ufeffone\r\ntwo\rthree\n\n");
    if (process.platform !== "win32") chmodSync(file(), 0o750);
    const { replacements, bytes_written } = harness.edit(file(), change("two", "2"));
    expect(harness.read("file.txt")).toBe("\ufeffone\r\n2\rthree\n\n");
    expect({ replacements, bytes_written }).toEqual({ replacements: 1, bytes_written: 17 });
    if (process.platform !== "win32") expect(statSync(file()).mode & 0o777).toBe(0o750);
  });

  it("makes all edits or none", () => {
    const edits = [...change("in", "out"), ...change("absent", "x")];
    expect(wordOf(() => harness.edit(file(), edits))).toBe("text_not_found");
    expect(harness.read("file.txt")).toBe("inside");
    expect(harness.names()).toEqual(["file.txt", "folder", "folder/deep.txt"]);
  });

  it("refuses what is no text, too large, missing, a link or a folder", () => {
    writeFileSync(file(), Uint8Array.of(0x78, 0xff));
    expect(word()).toBe("not_text");
    writeFileSync(file(), "x".repeat(EDIT_FILE_MAX_BYTES + 1));
    expect(word()).toBe("too_large");
    writeFileSync(file(), `x${"é".repeat(EDIT_FILE_MAX_BYTES / 2 - 1)}`);
    expect(word(change("x", "é"))).toBe("no failure");
    expect(word(change("é", "x"))).toBe("text_not_unique");
    expect(wordOf(() => harness.edit(harness.inside("missing"), change("x", "y")))).toBe(
      "not_found",
    );
    expect(wordOf(() => harness.edit(harness.inside("folder"), change("x", "y")))).toBe(
      "is_a_directory",
    );
    symlinkSync(harness.beside("secret.txt"), harness.inside("out"));
    const through = () => harness.edit(harness.inside("out"), change("outside", "inside"));
    expect(wordOf(through)).toBe("not_a_regular_file");
    expect(readFileSync(harness.beside("secret.txt"), "utf8")).toBe("outside");
  });

  it("refuses to grow a file past the limit", () => {
    writeFileSync(file(), `x${"a".repeat(EDIT_FILE_MAX_BYTES - 1)}`);
    expect(word(change("x", "é"))).toBe("too_large");
    expect(harness.read("file.txt").startsWith("xa")).toBe(true);
  });

  it("is refused when the file is not what was shown", () => {
    const { seen } = previewEdit(harness.editJob(file(), change("in", "out")));
    writeFileSync(file(), "in between");
    const edit = () => harness.edit(file(), change("in", "out"), { seen });
    expect(wordOf(edit)).toBe("changed_since_shown");
    writeFileSync(file(), "inside");
    harness.edit(file(), change("in", "out"), { seen });
    expect(harness.read("file.txt")).toBe("outside");
  });
});

describe("what the person is shown of an edit", () => {
  it("is exactly what happens", () => {
    const some = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", "é"), maxLength: 30 });
    const sought = fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 3 });
    const edits = fc.array(
      fc.record({ old_text: sought, new_text: some, replace_all: fc.boolean() }),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(some, edits, (before, wanted) => {
        writeFileSync(file(), before);
        const shown = wordOf(() => previewEdit(harness.editJob(file(), wanted)));
        expect(wordOf(() => harness.edit(file(), wanted, { seen: null }))).toBe(shown);
        if (shown !== "no failure") return;
        const after = harness.read("file.txt");
        writeFileSync(file(), before);
        const preview = previewEdit(harness.editJob(file(), wanted));
        if (preview.shown?.kind !== "text_change") throw new Error("no difference");
        expect(preview.shown.change).toBe("edit");
        expect(applyHunks(before, preview.shown.hunks)).toBe(after);
      }),
      { numRuns: 60 },
    );
  });
});
