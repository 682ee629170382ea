import { closeSync, openSync } from "node:fs";
import { STEP, underFd, withPlainFile } from "../opening/open-by-walk.ts";
import type { HeldFolder } from "./held-folder.ts";

/**
 * Linux. A folder held by its descriptor: `at` refers to a name in this very folder, wherever it is
 * moved and whatever takes its place (`open-by-walk.ts`).
 */
export class HeldByDescriptor implements HeldFolder {
  readonly path: string;

  /** The caller owns the descriptor and keeps it open while the folder is used. */
  constructor(handle: number) {
    this.path = underFd(handle);
  }

  at(name: string): string {
    return `${this.path}/${name}`;
  }

  withFile<T>(name: string, use: (fd: number) => T): T {
    const handle = openSync(this.at(name), STEP);
    try {
      return withPlainFile(handle, use);
    } finally {
      closeSync(handle);
    }
  }

  stillHere(): void {
    // A descriptor always refers to the same folder.
  }
}
