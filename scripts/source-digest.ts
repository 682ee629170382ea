import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Folders and files that go into a build; tests in them do not. */
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
] as const;
const FILES = ["package.json", "package-lock.json", "tsconfig.base.json"] as const;

const isSource = (name: string): boolean => !/\.test\.tsx?$|\.tsbuildinfo$/.test(name);

/** Hex SHA-256 over the names and contents of all the build's sources. */
export async function sourceDigest(root: URL): Promise<string> {
  const hash = createHash("sha256");
  for (const name of [...(await sourceNames(root)), ...FILES]) {
    const content = await readFile(join(fileURLToPath(root), name));
    hash.update(JSON.stringify([name, content.byteLength])).update(content);
  }
  return hash.digest("hex");
}

async function sourceNames(root: URL): Promise<string[]> {
  const base = fileURLToPath(root);
  const names: string[] = [];
  for (const folder of FOLDERS) {
    const found = await readdir(join(base, folder), { recursive: true, withFileTypes: true });
    for (const entry of found) {
      if (!entry.isFile() || !isSource(entry.name)) continue;
      names.push(relative(base, join(entry.parentPath, entry.name)));
    }
  }
  return names.sort();
}
