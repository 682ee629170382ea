import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EDIT_FILE_MAX_BYTES } from "../../../../app/contract/tools/edit-file.ts";
import { wordOf } from "../testing/file-house.ts";
import { previewEdit } from "./edit-content.ts";
import { applyHunks } from "./testing/apply-hunks.ts";
import { ChangingHouse, stopped } from "./testing/changing-house.ts";

let house: ChangingHouse;

beforeEach(() => {
  house = new ChangingHouse();
});

afterEach(() => house.remove());

const file = (): string => house.inside("file.txt");
const change = (old_text: string, new_text: string) => [{ old_text, new_text }];
const word = (edits = change("x", "y")) => wordOf(() => house.edit(file(), edits));

describe("editing a file", () => {
  it("keeps its byte order mark, its line ends and its permissions", () => {
    writeFileSync(file(), "\ufeffone\r\ntwo\rthree\n\n");
    if (process.platform !== "win32") chmodSync(file(), 0o750);
    const { replacements, bytes_written } = house.edit(file(), change("two", "2"));
    expect(house.read("file.txt")).toBe("\ufeffone\r\n2\rthree\n\n");
    expect({ replacements, bytes_written }).toEqual({ replacements: 1, bytes_written: 17 });
    if (process.platform !== "win32") expect(statSync(file()).mode & 0o777).toBe(0o750);
  });

  it("makes all edits or none", () => {
    const edits = [...change("in", "out"), ...change("absent", "x")];
    expect(wordOf(() => house.edit(file(), edits))).toBe("text_not_found");
    expect(house.read("file.txt")).toBe("inside");
    expect(house.names()).toEqual(["file.txt", "folder", "folder/deep.txt"]);
  });

  it("refuses what is no text, too large, missing, a link or a folder", () => {
    writeFileSync(file(), Uint8Array.of(0x78, 0xff));
    expect(word()).toBe("not_text");
    writeFileSync(file(), "x".repeat(EDIT_FILE_MAX_BYTES + 1));
    expect(word()).toBe("too_large");
    writeFileSync(file(), `x${"é".repeat(EDIT_FILE_MAX_BYTES / 2 - 1)}`);
    expect(word(change("x", "é"))).toBe("no failure");
    expect(word(change("é", "x"))).toBe("text_not_unique");
    expect(wordOf(() => house.edit(house.inside("missing"), change("x", "y")))).toBe("not_found");
    expect(wordOf(() => house.edit(house.inside("folder"), change("x", "y")))).toBe(
      "is_a_directory",
    );
    symlinkSync(house.beside("secret.txt"), house.inside("out"));
    const through = () => house.edit(house.inside("out"), change("outside", "inside"));
    expect(wordOf(through)).toBe("not_a_regular_file");
    expect(readFileSync(house.beside("secret.txt"), "utf8")).toBe("outside");
  });

  it("refuses to grow a file past the limit", () => {
    writeFileSync(file(), `x${"a".repeat(EDIT_FILE_MAX_BYTES - 1)}`);
    expect(word(change("x", "é"))).toBe("too_large");
    expect(house.read("file.txt").startsWith("xa")).toBe(true);
  });

  it("is refused when the file is not what was shown", () => {
    const { seen } = previewEdit(house.editJob(file(), change("in", "out")));
    writeFileSync(file(), "in between");
    const edit = () => house.edit(file(), change("in", "out"), { seen });
    expect(wordOf(edit)).toBe("changed_since_shown");
    writeFileSync(file(), "inside");
    house.edit(file(), change("in", "out"), { seen });
    expect(house.read("file.txt")).toBe("outside");
  });

  it("touches nothing once it is stopped", () => {
    const edit = () => house.edit(file(), change("in", "out"), {}, stopped());
    expect(wordOf(edit)).toBe("cancelled");
    expect(house.read("file.txt")).toBe("inside");
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
        const shown = wordOf(() => previewEdit(house.editJob(file(), wanted)));
        expect(wordOf(() => house.edit(file(), wanted, { seen: null }))).toBe(shown);
        if (shown !== "no failure") return;
        const after = house.read("file.txt");
        writeFileSync(file(), before);
        const preview = previewEdit(house.editJob(file(), wanted));
        if (preview.shown?.kind !== "text_change") throw new Error("no difference");
        expect(preview.shown.change).toBe("edit");
        expect(applyHunks(before, preview.shown.hunks)).toBe(after);
      }),
      { numRuns: 60 },
    );
  });
});
