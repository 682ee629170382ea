import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileHouse } from "./testing/file-house.ts";

let house: FileHouse;

beforeEach(() => {
  house = new FileHouse();
});

afterEach(() => house.remove());

describe("listing", () => {
  it("names every kind without following, in code point order", () => {
    symlinkSync(house.base, house.inside("link"));
    writeFileSync(house.inside("\u{1f600}"), "");
    writeFileSync(house.inside("\uff5e"), "");
    if (process.platform !== "win32") execFileSync("mkfifo", [house.inside("pipe")]);
    const entries = house.list(house.root);
    const pipe = process.platform === "win32" ? [] : [{ name: "pipe", type: "other" }];
    expect(entries).toEqual([
      { name: "file.txt", type: "file" },
      { name: "folder", type: "directory" },
      { name: "link", type: "symlink" },
      ...pipe,
      { name: "\uff5e", type: "file" },
      { name: "\u{1f600}", type: "file" },
    ]);
  });

  it("refuses files, links to folders, outside and missing folders", () => {
    symlinkSync(house.inside("folder"), house.inside("alias"));
    expect(house.listWord(house.inside("file.txt"))).toBe("not_a_directory");
    expect(house.listWord(house.inside("alias"))).toBe("not_a_directory");
    expect(house.listWord(house.inside("missing"))).toBe("not_found");
    expect(house.listWord(house.base)).toBe("outside_roots");
    expect(house.listWord(house.beside("root-evil"))).toBe("outside_roots");
    expect(house.listWord(`${house.root}/..`)).toBe("invalid_path");
  });

  it("takes 4096 entries and refuses 4097", () => {
    const path = house.inside("folder", "many");
    mkdirSync(path);
    for (let index = 0; index < 4096; index += 1) writeFileSync(join(path, `f${index}`), "");
    expect(house.list(path).length).toBe(4096);
    writeFileSync(join(path, "one more"), "");
    expect(house.listWord(path)).toBe("too_large");
  });

  it("does not lie about a name that is not UTF-8: the whole call is not_text", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("names are text on this system");
    writeFileSync(Buffer.from(`${house.root}/folder/caf\xe9`, "latin1"), "");
    expect(house.listWord(house.inside("folder"))).toBe("not_text");
  });
});
