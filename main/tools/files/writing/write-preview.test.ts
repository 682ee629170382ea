import { chmodSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { previewWrite } from "../../write-file.ts";
import { PRESENT_MAX_BYTES } from "./present-file.ts";
import { ChangingHarness } from "./testing/changing-harness.ts";

const harness = ChangingHarness.forEachTest();

describe("what the person is shown of a write", () => {
  const preview = (path: string, content: string | Uint8Array, more = {}) =>
    previewWrite(harness.writeJob(path, content, more));

  it("is a new file, line by line", () => {
    const { shown, seen } = preview(harness.inside("new"), "a\nb");
    expect(shown).toEqual({
      kind: "text_change",
      change: "create",
      size_before: null,
      size_after: 3,
      executable: false,
      hunks: [
        {
          old_start: 1,
          new_start: 1,
          lines: [
            { kind: "added", text: "a" },
            { kind: "added", text: "b", no_newline: true },
          ],
        },
      ],
    });
    expect(seen).toBe("absent");
  });

  it("is the difference to the file that is there", () => {
    writeFileSync(harness.inside("file.txt"), "one\r\ntwo\r\n");
    const { shown } = preview(harness.inside("file.txt"), "one\r\n2\r\n");
    expect(shown).toMatchObject({
      change: "replace",
      size_before: 10,
      size_after: 8,
      hunks: [
        {
          lines: [
            { kind: "same", text: "one\r" },
            { kind: "removed", text: "two\r" },
            { kind: "added", text: "2\r" },
          ],
        },
      ],
    });
  });

  it.skipIf(process.platform === "win32")("says that the file may be run as a program", () => {
    const path = harness.inside("file.txt");
    const executable = () => preview(path, "x").shown;
    expect(executable()).toMatchObject({ kind: "text_change", executable: false });
    chmodSync(path, 0o744);
    expect(executable()).toMatchObject({ kind: "text_change", executable: true });
    writeFileSync(path, Uint8Array.of(0xff));
    expect(executable()).toMatchObject({ kind: "bytes_change", executable: true });
  });

  it("is sizes, where either side is no text or too much", () => {
    const bytes = Uint8Array.of(0x61, 0);
    expect(preview(harness.inside("new"), bytes).shown).toEqual({
      kind: "bytes_change",
      change: "create",
      size_before: null,
      size_after: 2,
      executable: false,
    });
    writeFileSync(harness.inside("file.txt"), Uint8Array.of(0xff));
    expect(preview(harness.inside("file.txt"), "x").shown).toMatchObject({
      kind: "bytes_change",
      change: "replace",
      size_before: 1,
    });
    writeFileSync(harness.inside("file.txt"), "x".repeat(PRESENT_MAX_BYTES + 1));
    expect(preview(harness.inside("file.txt"), "x").shown).toMatchObject({
      kind: "bytes_change",
      size_before: PRESENT_MAX_BYTES + 1,
    });
  });

  it("changes nothing, and fails as the write would", () => {
    const word = (path: string, more = {}) => harness.refused(() => preview(path, "x", more));
    symlinkSync(harness.beside("secret.txt"), harness.inside("out"));
    expect(word(harness.inside("out"))).toBe("not_a_regular_file");
    expect(word(harness.inside("folder"))).toBe("is_a_directory");
    expect(word(harness.inside("missing", "x"))).toBe("not_found");
    expect(word(harness.inside("file.txt"), { ifExists: "fail" })).toBe("already_exists");
    expect(word(harness.inside("new"))).toBe("no failure");
  });
});

describe("a write that was shown", () => {
  const path = () => harness.inside("file.txt");
  const seenNow = (): string | null => previewWrite(harness.writeJob(path(), "x")).seen;

  it("goes through when the file is what was shown, also under a new date", () => {
    const seen = seenNow();
    utimesSync(path(), 1, 1);
    harness.write(path(), "new", { seen });
    expect(harness.read("file.txt")).toBe("new");
  });

  it("is refused when the file was changed, removed or made meanwhile", () => {
    const seen = seenNow();
    writeFileSync(path(), "insidE");
    const write = () => harness.write(path(), "new", { seen });
    expect(harness.refused(write)).toBe("changed_since_shown");
    rmSync(path());
    expect(harness.refused(write)).toBe("changed_since_shown");
    const nothing = seenNow();
    writeFileSync(path(), "");
    const create = () => harness.write(path(), "new", { seen: nothing });
    expect(harness.refused(create)).toBe("changed_since_shown");
    expect(harness.read("file.txt")).toBe("");
  });

  it("tells a change of a file that is too large to be read by its date and size", () => {
    writeFileSync(path(), "x".repeat(PRESENT_MAX_BYTES + 1));
    const seen = seenNow();
    utimesSync(path(), 1, 1);
    const write = () => harness.write(path(), "new", { seen });
    expect(harness.refused(write)).toBe("changed_since_shown");
    harness.write(path(), "new", { seen: seenNow() });
    expect(harness.read("file.txt")).toBe("new");
  });
});
