import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { scratchFolder } from "../main/testing/scratch-folder.ts";
import { electronOnPath, findElectron } from "./find-electron.ts";

async function checkout(files: readonly string[]) {
  const folder = scratchFolder();
  for (const file of files) {
    const path = join(folder, file);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, "electron");
  }
  return { folder, root: pathToFileURL(`${folder}/`) };
}

test("a package without its binary is no Electron", async () => {
  const { root } = await checkout(["node_modules/electron/package.json"]);
  expect(findElectron(root, {})).toBeNull();
  const named = await checkout(["node_modules/electron/path.txt"]);
  expect(findElectron(named.root, {})).toBeNull();
});

test("a binary that was fetched before is found", async () => {
  const binary = "node_modules/electron/dist/electron";
  const { folder, root } = await checkout(["node_modules/electron/path.txt", binary]);
  expect(findElectron(root, {})).toBe(join(folder, binary));
});

test("the folder the person names wins, and counts only when the binary is in it", async () => {
  const { folder, root } = await checkout([
    "node_modules/electron/path.txt",
    "node_modules/electron/dist/electron",
    "own/electron",
  ]);
  const own = join(folder, "own");
  expect(findElectron(root, { ELECTRON_OVERRIDE_DIST_PATH: own })).toBe(join(own, "electron"));
  expect(findElectron(root, { ELECTRON_OVERRIDE_DIST_PATH: folder })).toBeNull();
});

test("one in the PATH is found, but not npm's command that stands for one", async () => {
  const name = process.platform === "win32" ? "electron.exe" : "electron";
  const { folder } = await checkout([`bin/${name}`, `node_modules/.bin/${name}`]);
  const npms = join(folder, "node_modules/.bin");
  expect(electronOnPath({ PATH: npms })).toBeNull();
  const PATH = [npms, join(folder, "bin")].join(delimiter);
  expect(electronOnPath({ PATH })).toBe(join(folder, "bin", name));
  expect(electronOnPath({})).toBeNull();
});
