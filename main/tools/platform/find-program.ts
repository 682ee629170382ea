import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";

export type IsProgram = (path: string) => boolean;

/** Whether this is a regular file that the user may execute. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The absolute path of this program on a POSIX `PATH`, without starting anything. Empty and
 * relative entries are skipped: they mean the current folder, where anybody may have put a program.
 */
export function findProgram(name: string, path: string, exists: IsProgram): string | null {
  const folders = path.split(":").filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => join(folder, name)).find(exists) ?? null;
}
