import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { removeTree } from "./temporary-folder.ts";

let base: string;
let folder: string;
let bait: string;
beforeEach(() => {
  base = scratchFolder();
  folder = join(base, "folder");
  bait = join(base, "bait");
  for (const made of [folder, bait]) mkdirSync(made);
  writeFileSync(join(bait, "kept"), "");
});

describe("a folder that is removed", () => {
  it("goes with all that is in it, closed and deep folders too", async () => {
    const closed = join(folder, "closed", "within");
    mkdirSync(closed, { recursive: true });
    writeFileSync(join(closed, "file"), "");
    for (const each of [closed, join(folder, "closed")]) chmodSync(each, 0);
    const deep = "d/".repeat(1_500);
    mkdirSync(join(folder, deep), { recursive: true });
    writeFileSync(join(folder, deep, "file"), "");
    await removeTree(folder);
    expect(readdirSync(base)).toEqual(["bait"]);
  });

  it("takes links away and leaves alone what they lead to", async () => {
    symlinkSync(bait, join(folder, "link"));
    symlinkSync(join(bait, "kept"), join(folder, "file-link"));
    await removeTree(folder);
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(bait)).toEqual(["kept"]);
  });

  it.skipIf(process.platform !== "linux")("is none where it is a link itself", async () => {
    symlinkSync(bait, join(base, "link"));
    await removeTree(join(base, "link"));
    expect(readdirSync(bait)).toEqual(["kept"]);
  });
});
