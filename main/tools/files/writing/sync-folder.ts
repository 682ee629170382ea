import { closeSync, constants, fsyncSync, openSync } from "node:fs";
import type { HeldFolder } from "./held-folder.ts";

/**
 * Makes changes of names in a folder survive a power cut. Never throws: the change has been made by
 * then, and some systems (Windows), file systems and unreadable folders do not support it.
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
    // As described above.
  }
}
