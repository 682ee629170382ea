import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { wordOf } from "../testing/file-harness.ts";
import { ChangingHarness, stopped } from "./testing/changing-harness.ts";

const harness = ChangingHarness.forEachTest();

const word = (path: string, parents = false) => wordOf(() => harness.make(path, parents));

describe("making a folder", () => {
  it("says whether it was made or there already", () => {
    expect(harness.make(harness.inside("new"))).toEqual({ created: true });
    expect(harness.make(harness.inside("new"))).toEqual({ created: false });
    expect(harness.make(harness.inside("new"), true)).toEqual({ created: false });
    expect(harness.make(harness.root)).toEqual({ created: false });
    expect(harness.names()).toEqual(["file.txt", "folder", "folder/deep.txt", "new"]);
  });

  it("makes those on the way only when asked to", () => {
    expect(word(harness.inside("a", "b", "c"))).toBe("not_found");
    expect(harness.names()).not.toContain("a");
    expect(harness.make(harness.inside("a", "b", "c"), true)).toEqual({ created: true });
    expect(harness.make(harness.inside("a", "d", "e"), true)).toEqual({ created: true });
    expect(harness.names("a")).toEqual(["b", "b/c", "d", "d/e"]);
  });

  it("makes no root that is gone", () => {
    rmSync(harness.root, { recursive: true });
    for (const parents of [false, true]) {
      expect(word(harness.inside("a", "b"), parents)).toBe("not_found");
      expect(word(harness.root, parents)).toBe("not_found");
    }
    expect(existsSync(harness.root)).toBe(false);
  });

  it("gives it the permissions of a new folder", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no such permissions");
    harness.make(harness.inside("new"));
    expect(statSync(harness.inside("new")).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  it("follows no link and replaces nothing", () => {
    symlinkSync(harness.beside("root-evil"), harness.inside("out"));
    symlinkSync(harness.beside("nothing"), harness.inside("dangling"));
    const outside = harness.outside();
    for (const parents of [false, true]) {
      expect(word(harness.inside("out"), parents)).toBe("not_a_directory");
      expect(word(harness.inside("out", "new"), parents)).toBe("not_a_directory");
      expect(word(harness.inside("out", "new", "er"), parents)).toBe("not_a_directory");
      expect(word(harness.inside("dangling"), parents)).toBe("not_a_directory");
      expect(word(harness.inside("file.txt"), parents)).toBe("not_a_directory");
      expect(word(harness.inside("file.txt", "x"), parents)).toBe("not_a_directory");
    }
    expect(harness.outside()).toEqual(outside);
    expect(readFileSync(harness.inside("file.txt"), "utf8")).toBe("inside");
  });

  it.each(["n".repeat(300), `.consentry-${"0".repeat(32)}.tmp`])("has no name %s", (name) => {
    for (const parents of [false, true]) {
      expect(word(harness.inside(name), parents)).toBe("invalid_path");
    }
  });

  it("makes a deep one at once", () => {
    const deep = Array.from({ length: 200 }, () => "d");
    expect(harness.make(harness.inside(...deep), true)).toEqual({ created: true });
    expect(statSync(harness.inside(...deep)).isDirectory()).toBe(true);
  });

  it("makes none once it is stopped", () => {
    const make = () => harness.make(harness.inside("a", "b"), true, stopped());
    expect(wordOf(make)).toBe("cancelled");
    expect(harness.names()).not.toContain("a");
  });

  it("says so when the account may not", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no such permissions");
    if (process.getuid?.() === 0) return ctx.skip("root may write everywhere");
    chmodSync(harness.inside("folder"), 0o555);
    expect(word(harness.inside("folder", "new"))).toBe("access_denied");
    chmodSync(harness.inside("folder"), 0o755);
  });
});
