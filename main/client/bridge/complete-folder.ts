import { opendir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { checkPath, pathPlatform } from "../../tools/files/paths/path-rules.ts";

/** Entries of one folder that are looked at, and folders that are offered. */
const LOOKED_AT = 5_000;
const OFFERED = 30;

/**
 * Folders whose path begins with what was typed, by name: for the person, in a field that completes a
 * path. Hidden ones only after a dot; links are not followed. Empty if the folder cannot be read.
 */
export async function completedFolders(typed: string): Promise<readonly string[]> {
  const begun = typed.slice(typed.lastIndexOf(sep) + 1);
  const parent = dirname(`${typed}x`);
  if (!checkPath(parent, pathPlatform(process.platform)).ok) return [];
  const found: string[] = [];
  try {
    let looked = 0;
    for await (const entry of await opendir(parent)) {
      looked += 1;
      if (looked > LOOKED_AT) break;
      const isShown = begun.startsWith(".") || !entry.name.startsWith(".");
      if (isShown && entry.isDirectory() && beginsWith(entry.name, begun)) found.push(entry.name);
    }
  } catch {
    return [];
  }
  return found
    .sort()
    .slice(0, OFFERED)
    .map((name) => join(parent, name));
}

const beginsWith = (name: string, begun: string): boolean =>
  name.toLowerCase().startsWith(begun.toLowerCase());
