import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EDIT_FILE_MAX_BYTES } from "../../../../app/contract/tools/edit-file.ts";
import { previewEdit } from "../../edit-file.ts";
import { wordOf } from "../testing/file-harness.ts";
import { applyHunks } from "./testing/apply-hunks.ts";
import { ChangingHarness, stopped } from "./testing/changing-harness.ts";
import { SmallDisk } from "./testing/small-disk.ts";

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

describe("the line ends of an edit", () => {
  const edited = (before: string, ...edits: Parameters<typeof change>) => {
    writeFileSync(file(), before);
    harness.edit(file(), change(...edits));
    return harness.read("file.txt");
  };

  it("are those of the file, in what is sought and in what takes its place", () => {
    expect(edited("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz")).toBe("x\r\ny\r\nz\r\nc\r\n");
    expect(edited("a\r\nb\r\n", "a\r\nb", "x\r\ny\nz")).toBe("x\r\ny\r\nz\r\n");
    expect(edited("a\r\nb\r\n", "\nb\n", "\n")).toBe("a\r\n");
    expect(edited("a\nb\n", "a\r\nb", "x\r\ny")).toBe("x\ny\n");
  });

  it("are as written where the file has both kinds, or no line end at all", () => {
    expect(edited("a\r\nb\nc", "b", "x\ny\r\nz")).toBe("a\r\nx\ny\r\nz\nc");
    expect(edited("a", "a", "x\r\ny\nz")).toBe("x\r\ny\nz");
    expect(edited("a\rb", "a", "x\ny")).toBe("x\ny\rb");
    writeFileSync(file(), "a\r\nb\nc");
    expect(word(change("a\nb", "x"))).toBe("text_not_found");
  });

  it("stand behind a byte order mark that no edit removes or doubles", () => {
    expect(edited("\ufeffa\r\nb\r\n", "\ufeffa\nb", "x\ny")).toBe("\ufeffx\r\ny\r\n");
    expect(edited("\ufeffa\n", "a", "\ufeffx")).toBe("\ufeffx\n");
    expect(edited("\ufeffa", "a", "")).toBe("\ufeff");
    expect(edited("a\n", "a", "\ufeffx")).toBe("\ufeffx\n");
  });
});

describe("a file with another name", () => {
  const other = (): string => harness.beside("secret.txt");
  const linked = (): string => harness.inside("alias");

  it("keeps it: both have the new text, and its permissions", (ctx) => {
    linkSync(other(), linked());
    if (process.platform !== "win32") chmodSync(other(), 0o751);
    const { ino } = statSync(other());
    for (const text of ["longer than what was there", "short", ""]) {
      const before = readFileSync(other(), "utf8");
      harness.edit(linked(), change(before, text === "" ? "x" : text));
      expect(readFileSync(other(), "utf8")).toBe(text === "" ? "x" : text);
      expect(statSync(linked())).toMatchObject({ ino, nlink: 2 });
    }
    expect(harness.names()).toEqual(["alias", "file.txt", "folder", "folder/deep.txt"]);
    if (process.platform === "win32") return ctx.skip("Windows has no such permissions");
    expect(statSync(other()).mode & 0o777).toBe(0o751);
  });

  it("keeps its extended attributes", (ctx) => {
    linkSync(other(), linked());
    try {
      execFileSync("setfattr", ["-n", "user.tag", "-v", "kept", linked()], { stdio: "ignore" });
    } catch {
      return ctx.skip("no extended attributes here");
    }
    harness.edit(linked(), change("outside", "new"));
    const told = execFileSync("getfattr", ["-n", "user.tag", other()], { encoding: "utf8" });
    expect(told).toContain("kept");
  });

  it("is said to have one", () => {
    linkSync(other(), linked());
    const shown = (path: string) => previewEdit(harness.editJob(path, change("side", ""))).shown;
    expect(shown(linked())).toMatchObject({ kind: "text_change", linked: true });
    expect(shown(file())).not.toHaveProperty("linked");
  });

  it("is refused when it is not what was shown, also when another file has its name now", () => {
    linkSync(other(), linked());
    const { seen } = previewEdit(harness.editJob(linked(), change("outside", "new")));
    renameSync(linked(), harness.inside("moved"));
    writeFileSync(linked(), "inside");
    const edit = () => harness.edit(linked(), change("in", "out"), { seen });
    expect(wordOf(edit)).toBe("changed_since_shown");
    expect(readFileSync(other(), "utf8")).toBe("outside");
  });

  it("is as it was when the call is stopped, or the disk is full", (ctx) => {
    linkSync(other(), linked());
    const edit = () => harness.edit(linked(), change("outside", "new"), {}, stopped());
    expect(wordOf(edit)).toBe("cancelled");
    expect(readFileSync(other(), "utf8")).toBe("outside");

    mkdirSync(harness.inside("small"));
    using disk = SmallDisk.at(harness.inside("small"));
    if (disk === null) return ctx.skip("no volume can be mounted here");
    const [one, two] = [harness.inside("small", "one"), harness.inside("small", "two")];
    writeFileSync(one, "x");
    linkSync(one, two);
    writeFileSync(harness.inside("small", "filler"), "f".repeat(56_000));
    expect(wordOf(() => harness.edit(one, change("x", "y".repeat(20_000))))).toBe("disk_full");
    expect(readFileSync(two, "utf8")).toBe("x");
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
