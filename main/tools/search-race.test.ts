import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withDirectoryInside } from "./safe-open.ts";
import { FileHouse, wordOf } from "./testing/file-house.ts";
import { TreeByComparison } from "./tree-by-comparison.ts";
import { TreeByWalk } from "./tree-by-walk.ts";

let house: FileHouse;

beforeEach(() => {
  house = new FileHouse();
});

afterEach(() => house.remove());

const open = (): number => readdirSync("/proc/self/fd").length;

describe("while another program swaps folders with links to the outside", () => {
  it("a search never finds what is outside, and still finds what is inside", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("only Linux can promise this");
    mkdirSync(house.inside("swap", "in"), { recursive: true });
    mkdirSync(house.beside("bait", "in"), { recursive: true });
    for (const place of [[], ["in"]]) {
      writeFileSync(house.inside("swap", ...place, "f"), "inside needle");
      writeFileSync(house.beside("bait", ...place, "f"), "outside needle");
      writeFileSync(house.beside("bait", ...place, "g"), "outside needle");
    }
    const before = open();
    const ended = house.meanwhile(
      `while (Date.now() < end) {
         fs.renameSync(dir, away); fs.symlinkSync(bait, dir);
         fs.unlinkSync(dir); fs.renameSync(away, dir);
         fs.renameSync(file, file + "2"); fs.symlinkSync(secret, file);
         fs.unlinkSync(file); fs.renameSync(file + "2", file);
       }`,
      {
        dir: house.inside("swap"),
        away: house.beside("away"),
        bait: house.beside("bait"),
        file: house.inside("file.txt"),
        secret: house.beside("secret.txt"),
      },
      3000,
    );
    let inside = 0;
    let refused = 0;
    while (!ended()) {
      const { matches, unreadable_skipped } = house.search({ text: "side" });
      const said = JSON.stringify(matches);
      expect(said).not.toContain("outside");
      expect(said).not.toContain("/g");
      inside += matches.length;
      refused += unreadable_skipped;
    }
    expect(inside).toBeGreaterThan(0);
    // Without a refusal there was no race, and the test would have shown nothing.
    expect(refused).toBeGreaterThan(0);
    expect(open()).toBe(before);
  });
});

describe("a tree by descriptors", () => {
  const names = Array.from({ length: 100 }, () => "d");

  it("goes back up further than its handles reach, but not through a folder moved away", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("needs /proc/self/fd");
    mkdirSync(house.inside("top", ...names), { recursive: true });
    const before = open();
    withDirectoryInside(house.root, house.inside("top"), (path) => {
      const tree = new TreeByWalk(path);
      for (const name of names) tree.enter(name);
      expect(open()).toBeLessThan(before + 80);
      for (const _ of names) expect(tree.leave()).toBe(true);
      for (const name of names) tree.enter(name);
      // The 31st folder is moved outside: the way up from there leads elsewhere.
      renameSync(house.inside("top", ...names.slice(0, 31)), house.beside("moved"));
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
    symlinkSync(house.base, house.inside("out"));
    symlinkSync(house.beside("secret.txt"), house.inside("link"));
    const tree = new TreeByComparison(house.root, []);
    expect(wordOf(() => tree.enter("out"))).toBe("not_a_directory");
    expect(wordOf(() => tree.withFile("link", () => 0))).toBe("not_a_regular_file");
    tree.enter("folder");
    expect(tree.list((path) => readdirSync(path))).toEqual(["deep.txt"]);
    expect(tree.withFile("deep.txt", (_, size) => size)).toBe(4);
    expect(tree.leave()).toBe(true);
    expect(tree.withFile("file.txt", (_, size) => size)).toBe(6);
  });
});
