import { mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FileHarness, wordOf } from "../testing/file-harness.ts";
import { withDirectoryInside } from "./safe-open.ts";
import { TreeByComparison, TreeByWalk } from "./tree.ts";

const harness = FileHarness.forEachTest();

const open = (): number => readdirSync("/proc/self/fd").length;

describe("a tree by descriptors", () => {
  const names = Array.from({ length: 100 }, () => "d");

  it("goes back up further than its handles reach, but not through a folder moved away", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("needs /proc/self/fd");
    mkdirSync(harness.inside("top", ...names), { recursive: true });
    const before = open();
    withDirectoryInside(harness.root, harness.inside("top"), (path) => {
      const tree = new TreeByWalk(path);
      for (const name of names) tree.enter(name);
      expect(open()).toBeLessThan(before + 80);
      for (const _ of names) expect(tree.leave()).toBe(true);
      for (const name of names) tree.enter(name);
      // The 31st folder is moved outside, so the way up from it leads elsewhere.
      renameSync(harness.inside("top", ...names.slice(0, 31)), harness.beside("moved"));
      const ways = names.map(() => tree.leave());
      expect(ways.lastIndexOf(true)).toBe(99);
      expect(ways.filter((way) => !way).length).toBe(30);
      expect(tree.list((at) => readdirSync(at))).toEqual(["d"]);
      tree.close();
    });
    expect(open()).toBe(before);
  });
});

describe("a tree by comparison, as on other systems", () => {
  it("enters, reads and leaves, and refuses links", () => {
    symlinkSync(harness.base, harness.inside("out"));
    symlinkSync(harness.beside("secret.txt"), harness.inside("link"));
    const tree = new TreeByComparison(harness.root, []);
    expect(wordOf(() => tree.enter("out"))).toBe("not_a_directory");
    expect(wordOf(() => tree.withFile("link", () => 0))).toBe("not_a_regular_file");
    tree.enter("folder");
    expect(tree.list((path) => readdirSync(path))).toEqual(["deep.txt"]);
    expect(tree.withFile("deep.txt", (_, size) => size)).toBe(4);
    expect(tree.leave()).toBe(true);
    expect(tree.withFile("file.txt", (_, size) => size)).toBe(6);
  });
});
