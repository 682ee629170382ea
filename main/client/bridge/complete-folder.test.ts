import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { completedFolders } from "./complete-folder.ts";

let folder: string;
beforeEach(() => {
  folder = scratchFolder();
  for (const name of ["Projects", "private", "other", ".hidden"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "proof.txt"), "");
  symlinkSync(folder, join(folder, "proxy"));
});

it("are the folders that begin with what was typed, in either case, without files and links", async () => {
  const found = await completedFolders(join(folder, "pr"));
  expect(found).toEqual([join(folder, "Projects"), join(folder, "private")]);
});

it("are all but hidden ones after a separator, and hidden ones after a dot", async () => {
  expect(await completedFolders(folder + sep)).toHaveLength(3);
  expect(await completedFolders(join(folder, ".h"))).toEqual([join(folder, ".hidden")]);
});

it("are none where nothing can be read, or the path is not whole", async () => {
  expect(await completedFolders(join(folder, "missing", "x"))).toEqual([]);
  expect(await completedFolders("pr")).toEqual([]);
});

it("are thirty at most", async () => {
  for (let each = 0; each < 40; each += 1) mkdirSync(join(folder, `many-${each}`));
  expect(await completedFolders(join(folder, "many"))).toHaveLength(30);
});
