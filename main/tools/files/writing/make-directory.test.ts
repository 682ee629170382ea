import { chmodSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { wordOf } from "../testing/file-house.ts";
import { ChangingHouse, stopped } from "./testing/changing-house.ts";

let house: ChangingHouse;

beforeEach(() => {
  house = new ChangingHouse();
});

afterEach(() => house.remove());

const word = (path: string, parents = false) => wordOf(() => house.make(path, parents));

describe("making a folder", () => {
  it("says whether it was made or there already", () => {
    expect(house.make(house.inside("new"))).toEqual({ created: true });
    expect(house.make(house.inside("new"))).toEqual({ created: false });
    expect(house.make(house.inside("new"), true)).toEqual({ created: false });
    expect(house.make(house.root)).toEqual({ created: false });
    expect(house.names()).toEqual(["file.txt", "folder", "folder/deep.txt", "new"]);
  });

  it("makes those on the way only when asked to", () => {
    expect(word(house.inside("a", "b", "c"))).toBe("not_found");
    expect(house.names()).not.toContain("a");
    expect(house.make(house.inside("a", "b", "c"), true)).toEqual({ created: true });
    expect(house.make(house.inside("a", "d", "e"), true)).toEqual({ created: true });
    expect(house.names("a")).toEqual(["b", "b/c", "d", "d/e"]);
  });

  it("gives it the permissions of a new folder", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no such permissions");
    house.make(house.inside("new"));
    expect(statSync(house.inside("new")).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  it("follows no link and replaces nothing", () => {
    symlinkSync(house.beside("root-evil"), house.inside("out"));
    symlinkSync(house.beside("nothing"), house.inside("dangling"));
    const outside = house.outside();
    for (const parents of [false, true]) {
      expect(word(house.inside("out"), parents)).toBe("not_a_directory");
      expect(word(house.inside("out", "new"), parents)).toBe("not_a_directory");
      expect(word(house.inside("out", "new", "er"), parents)).toBe("not_a_directory");
      expect(word(house.inside("dangling"), parents)).toBe("not_a_directory");
      expect(word(house.inside("file.txt"), parents)).toBe("not_a_directory");
      expect(word(house.inside("file.txt", "x"), parents)).toBe("not_a_directory");
    }
    expect(house.outside()).toEqual(outside);
    expect(readFileSync(house.inside("file.txt"), "utf8")).toBe("inside");
  });

  it("stays in its root", () => {
    for (const parents of [false, true]) {
      expect(word(house.beside("root-evil", "new"), parents)).toBe("outside_roots");
      expect(word(house.beside("new"), parents)).toBe("outside_roots");
      expect(word(`${house.root}/../new`, parents)).toBe("invalid_path");
      expect(word(house.inside("n".repeat(300)), parents)).toBe("invalid_path");
      expect(word(house.inside(`.consentry-${"0".repeat(32)}.tmp`), parents)).toBe("invalid_path");
    }
  });

  it("makes a deep one at once", () => {
    const deep = Array.from({ length: 200 }, () => "d");
    expect(house.make(house.inside(...deep), true)).toEqual({ created: true });
    expect(statSync(house.inside(...deep)).isDirectory()).toBe(true);
  });

  it("makes none once it is stopped", () => {
    const make = () => house.make(house.inside("a", "b"), true, stopped());
    expect(wordOf(make)).toBe("cancelled");
    expect(house.names()).not.toContain("a");
  });

  it("says so when the account may not", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no such permissions");
    if (process.getuid?.() === 0) return ctx.skip("root may write everywhere");
    chmodSync(house.inside("folder"), 0o555);
    expect(word(house.inside("folder", "new"))).toBe("access_denied");
    chmodSync(house.inside("folder"), 0o755);
  });
});
