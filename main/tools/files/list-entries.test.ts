import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FileHarness } from "./testing/file-harness.ts";

const harness = FileHarness.forEachTest();

describe("listing", () => {
  it("names every kind without following, in code point order", () => {
    symlinkSync(harness.base, harness.inside("link"));
    writeFileSync(harness.inside("\u{1f600}"), "");
    writeFileSync(harness.inside("\uff5e"), "");
    if (process.platform !== "win32") execFileSync("mkfifo", [harness.inside("pipe")]);
    const entries = harness.list(harness.root);
    const pipe = process.platform === "win32" ? [] : [{ name: "pipe", type: "other" }];
    expect(entries).toEqual([
      { name: "file.txt", type: "file", size_bytes: 6 },
      { name: "folder", type: "directory" },
      { name: "link", type: "symlink" },
      ...pipe,
      { name: "\uff5e", type: "file", size_bytes: 0 },
      { name: "\u{1f600}", type: "file", size_bytes: 0 },
    ]);
  });

  it("refuses files, links to folders and missing folders", () => {
    symlinkSync(harness.inside("folder"), harness.inside("alias"));
    expect(harness.listWord(harness.inside("file.txt"))).toBe("not_a_directory");
    expect(harness.listWord(harness.inside("alias"))).toBe("not_a_directory");
    expect(harness.listWord(harness.inside("missing"))).toBe("not_found");
  });

  it("takes 4096 entries and refuses 4097", () => {
    const path = harness.inside("folder", "many");
    mkdirSync(path);
    for (let index = 0; index < 4096; index += 1) writeFileSync(join(path, `f${index}`), "");
    expect(harness.list(path).length).toBe(4096);
    writeFileSync(join(path, "one more"), "");
    expect(harness.listWord(path)).toBe("too_large");
  });

  it("gives page after page in order, each entry once, and says where the next begins", () => {
    const path = harness.inside("folder", "pages");
    mkdirSync(path);
    const names = Array.from({ length: 5000 }, (_, index) => `f${index}`);
    for (const name of names) writeFileSync(join(path, name), "");
    const told: string[] = [];
    let after: string | null = null;
    do {
      const page = harness.page(path, after === null ? { limit: 777 } : { limit: 777, after });
      told.push(...page.entries.map(({ name }) => name));
      after = page.next_after;
    } while (after !== null);
    expect(told).toEqual(names.toSorted());
    expect(harness.listWord(path)).toBe("too_large");
    expect(harness.page(path, { after: "f5" }).entries[0]).toMatchObject({ name: "f50" });
  });

  it("is at its end when the last entry is on the page, also of an empty folder", () => {
    expect(harness.page(harness.root, { limit: 2 })).toEqual({
      entries: [
        { name: "file.txt", type: "file", size_bytes: 6 },
        { name: "folder", type: "directory" },
      ],
      next_after: null,
      names_skipped: 0,
    });
    expect(harness.page(harness.root, { limit: 1 }).next_after).toBe("file.txt");
    expect(harness.page(harness.root, { limit: 9, after: "zzz" })).toEqual({
      entries: [],
      next_after: null,
      names_skipped: 0,
    });
  });

  it("does not lie about names that are not UTF-8: it counts them, on every page", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("names are text on this system");
    for (const name of ["caf\xe9", "\xff"]) {
      writeFileSync(Buffer.from(`${harness.root}/folder/${name}`, "latin1"), "");
    }
    const deep = { name: "deep.txt", type: "file", size_bytes: 4 };
    for (const more of [{}, { limit: 1 }, { limit: 9 }]) {
      expect(harness.page(harness.inside("folder"), more)).toEqual({
        entries: [deep],
        next_after: null,
        names_skipped: 2,
      });
    }
    const after = harness.page(harness.inside("folder"), { limit: 1, after: "deep.txt" });
    expect(after).toEqual({ entries: [], next_after: null, names_skipped: 2 });
  });
});
