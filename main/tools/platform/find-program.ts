import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";

export type IsProgram = (path: string) => boolean;

/** True for a regular file that this user may execute. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The absolute path of the first of these programs on a POSIX `PATH`, without starting anything.
 * Empty and relative entries mean the current folder, where anybody may have put a program.
 */
export function findProgram(name: string, path: string, exists: IsProgram): string | null {
  const folders = path.split(":").filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => join(folder, name)).find(exists) ?? null;
}
