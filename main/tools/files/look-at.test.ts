import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, Stats, symlinkSync, utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { getFileInfo } from "../../../app/contract/tools/get-file-info.ts";
import { describe as describeStat } from "../get-file-info.ts";
import { compareToAnything } from "./opening/open-by-comparison.ts";
import { FileHarness, wordOf } from "./testing/file-harness.ts";

const harness = FileHarness.forEachTest();

const word = (path: string): string => wordOf(() => harness.look(path));

describe("looking at a thing", () => {
  it("tells size, times and mode of files and folders, also of the root itself", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no modes");
    const path = harness.inside("file.txt");
    utimesSync(path, 0, 1_700_000_000.5);
    chmodSync(path, 0o4640);
    expect(harness.look(path)).toEqual({
      type: "file",
      size_bytes: 6,
      modified_at: "2023-11-14T22:13:20.500Z",
      created_at: expect.stringMatching(/^\d{4}-.*Z$/u),
      mode: "4640",
      is_readable: true,
    });
    expect(harness.look(harness.inside("folder"))).toMatchObject({ type: "directory" });
    expect(harness.look(harness.root)).toMatchObject({ type: "directory", is_readable: true });
  });

  it("tells a link as a link and follows none: not out, not broken, not in a loop", () => {
    symlinkSync(harness.beside("secret.txt"), harness.inside("out"));
    symlinkSync("nowhere", harness.inside("broken"));
    symlinkSync("loop", harness.inside("loop"));
    for (const name of ["out", "broken", "loop"]) {
      const info = harness.look(harness.inside(name));
      expect(info).toMatchObject({ type: "symlink", is_readable: false });
      expect(JSON.stringify(info)).not.toContain("secret");
    }
    symlinkSync(harness.base, harness.inside("middle"));
    expect(word(harness.inside("middle", "secret.txt"))).toBe("not_a_directory");
  });

  it("tells a FIFO as other without opening it", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no FIFOs in folders");
    execFileSync("mkfifo", [harness.inside("fifo")]);
    expect(harness.look(harness.inside("fifo"))).toMatchObject({
      type: "other",
      is_readable: false,
    });
  });

  it("names what is missing, and no path", () => {
    expect(word(harness.inside("none"))).toBe("not_found");
    expect(word(harness.inside("file.txt", "x"))).toBe("not_a_directory");
    expect(word(harness.inside("n".repeat(300)))).toBe("invalid_path");
    expect(wordOf(() => harness.look("/proc/self/environ"))).toBe("outside_roots");
  });

  it.each([
    [1e20, "9999-12-31T23:59:59.999Z"],
    [-1e20, "0000-01-01T00:00:00.000Z"],
  ])(
    "keeps to years that the result can say, and leaves out an unknown birth: %d",
    (mtimeMs, said) => {
      const stat = Object.assign(Object.create(Stats.prototype), {
        mode: 0o100644,
        size: 1,
        mtimeMs,
        birthtimeMs: 0,
      });
      const info = describeStat(stat, () => false);
      expect(info.modified_at).toBe(said);
      expect(getFileInfo.isResult(info)).toBe(true);
      expect("created_at" in info).toBe(false);
      expect(info.is_readable).toBe(false);
    },
  );

  it("says the same by the weaker way of other systems", () => {
    mkdirSync(harness.inside("folder", "in"));
    for (const below of [["file.txt"], ["folder", "in"], []]) {
      expect(compareToAnything(harness.root, below, describeStat)).toEqual(
        harness.look(harness.inside(...below)),
      );
    }
    symlinkSync(harness.base, harness.inside("middle"));
    expect(
      wordOf(() => compareToAnything(harness.root, ["middle", "secret.txt"], describeStat)),
    ).toBe("outside_roots");
  });
});
