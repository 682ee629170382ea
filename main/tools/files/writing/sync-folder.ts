import { closeSync, constants, fsyncSync, openSync } from "node:fs";
import type { HeldFolder } from "./held-folder.ts";

/**
 * Makes names in a folder survive a power cut. Never throws: the change is made by then, and some
 * systems (Windows), file systems and folders without read permission do not offer it.
 */
export function syncFolder(folder: Pick<HeldFolder, "path">): void {
  try {
    const fd = openSync(folder.path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // As said above.
  }
}
