import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, Stats, symlinkSync, utimesSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describe as describeStat } from "./look-at.ts";
import { compareToAnything } from "./opening/open-by-comparison.ts";
import { FileHouse, wordOf } from "./testing/file-house.ts";

let house: FileHouse;

beforeEach(() => {
  house = new FileHouse();
});

afterEach(() => house.remove());

const word = (path: string): string => wordOf(() => house.look(path));

describe("looking at a thing", () => {
  it("tells size, times and mode of files and folders, also of the root itself", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no modes");
    const path = house.inside("file.txt");
    utimesSync(path, 0, 1_700_000_000.5);
    chmodSync(path, 0o4640);
    expect(house.look(path)).toEqual({
      type: "file",
      size_bytes: 6,
      modified_at: "2023-11-14T22:13:20.500Z",
      created_at: expect.stringMatching(/^\d{4}-.*Z$/u),
      mode: "4640",
      is_readable: true,
    });
    expect(house.look(house.inside("folder"))).toMatchObject({ type: "directory" });
    expect(house.look(house.root)).toMatchObject({ type: "directory", is_readable: true });
  });

  it("tells a link as a link and follows none: not out, not broken, not in a loop", () => {
    symlinkSync(house.beside("secret.txt"), house.inside("out"));
    symlinkSync("nowhere", house.inside("broken"));
    symlinkSync("loop", house.inside("loop"));
    for (const name of ["out", "broken", "loop"]) {
      const info = house.look(house.inside(name));
      expect(info).toMatchObject({ type: "symlink", is_readable: false });
      expect(JSON.stringify(info)).not.toContain("secret");
    }
    symlinkSync(house.base, house.inside("middle"));
    expect(word(house.inside("middle", "secret.txt"))).toBe("not_a_directory");
  });

  it("tells a FIFO as other without opening it", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no FIFOs in folders");
    execFileSync("mkfifo", [house.inside("fifo")]);
    expect(house.look(house.inside("fifo"))).toMatchObject({ type: "other", is_readable: false });
  });

  it("names what is missing, outside, or no path", () => {
    expect(word(house.inside("none"))).toBe("not_found");
    expect(word(house.inside("file.txt", "x"))).toBe("not_a_directory");
    expect(word(house.beside("secret.txt"))).toBe("outside_roots");
    expect(word(`${house.root}/..`)).toBe("invalid_path");
    expect(word(house.inside("n".repeat(300)))).toBe("invalid_path");
    expect(wordOf(() => house.look("/proc/self/environ"))).toBe("outside_roots");
  });

  it("keeps to times that a date can say, and leaves out an unknown birth", () => {
    const stat = Object.assign(Object.create(Stats.prototype), {
      mode: 0o100644,
      size: 1,
      mtimeMs: 1e20,
      birthtimeMs: 0,
    });
    const info = describeStat(stat, () => false);
    expect(info.modified_at).toBe("+275760-09-13T00:00:00.000Z");
    expect("created_at" in info).toBe(false);
    expect(info.is_readable).toBe(false);
  });

  it("says the same by the weaker way of other systems", () => {
    mkdirSync(house.inside("folder", "in"));
    for (const below of [["file.txt"], ["folder", "in"], []]) {
      expect(compareToAnything(house.root, below, describeStat)).toEqual(
        house.look(house.inside(...below)),
      );
    }
    symlinkSync(house.base, house.inside("middle"));
    expect(
      wordOf(() => compareToAnything(house.root, ["middle", "secret.txt"], describeStat)),
    ).toBe("outside_roots");
  });

  it("leaves no descriptor behind", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("needs /proc/self/fd");
    const before = readdirSync("/proc/self/fd").length;
    for (let turn = 0; turn < 200; turn += 1) {
      house.look(house.root);
      word(house.inside("none"));
    }
    expect(readdirSync("/proc/self/fd").length).toBe(before);
  });
});
