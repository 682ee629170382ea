import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { scratchFolder } from "../main/testing/scratch-folder.ts";
import { sourceDigest } from "./source-digest.ts";

const FOLDERS = [
  "agent-host",
  "app",
  "runtime",
  "hub",
  "i18n",
  "main",
  "preload",
  "renderer",
  "sdk",
  "scripts",
];
const FILES = ["package.json", "package-lock.json", "tsconfig.base.json"];

async function checkout() {
  const folder = scratchFolder();
  for (const name of FOLDERS) await mkdir(join(folder, name, "deep"), { recursive: true });
  for (const name of FILES) await writeFile(join(folder, name), "{}");
  await writeFile(join(folder, "app", "deep", "a.ts"), "1");
  const root = pathToFileURL(`${folder}/`);
  return {
    digest: () => sourceDigest(root),
    write: (name: string, text: string) => writeFile(join(folder, name), text),
  };
}

test("the same sources have the same digest, also when saved again", async () => {
  const { digest, write } = await checkout();
  const before = await digest();
  await write("app/deep/a.ts", "1");
  expect(await digest()).toBe(before);
});

test.each([
  ["a changed source", "app/deep/a.ts", "2"],
  ["a new source", "main/b.ts", "1"],
  ["a changed lock file", "package-lock.json", "[]"],
])("%s gives another digest", async (_what, name, text) => {
  const { digest, write } = await checkout();
  const before = await digest();
  await write(name, text);
  expect(await digest()).not.toBe(before);
});

test("a test is no source", async () => {
  const { digest, write } = await checkout();
  const before = await digest();
  await write("app/deep/a.test.ts", "1");
  await write("renderer/b.test.tsx", "1");
  expect(await digest()).toBe(before);
});
