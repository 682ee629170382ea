import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { compareToDirectory, compareToFile } from "../opening/open-by-comparison.ts";
import { type FileAccess, STEP, underFd, withPlainFile } from "../opening/open-by-walk.ts";

/**
 * A folder that is held while something in it is changed. No method follows a link at the end of a
 * name. Throws what the file system threw, or a ToolFailure.
 */
export interface HeldFolder {
  /** A path that opens the folder itself. */
  readonly path: string;
  /** A path that refers to a name in this folder. */
  at(name: string): string;
  /** Opens a regular file of this folder, for reading unless told otherwise, and closes it after `use`. */
  withFile<T>(name: string, use: (fd: number) => T, access?: FileAccess): T;
  /** Throws if the folder has been moved. Called before each step that changes something. */
  stillHere(): void;
}

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

  withFile<T>(name: string, use: (fd: number) => T, access?: FileAccess): T {
    const handle = openSync(this.at(name), STEP);
    try {
      return withPlainFile(handle, use, access);
    } finally {
      closeSync(handle);
    }
  }

  stillHere(): void {
    // A descriptor always refers to the same folder.
  }
}

/**
 * For systems without `/proc/self/fd`. WEAKER, as `open-by-comparison.ts` explains: the folder is
 * named by its path, and checked before each step. If another program swaps it between the check
 * and the step, that one step happens elsewhere; an agent alone cannot do this.
 */
class HeldByComparison implements HeldFolder {
  readonly path: string;
  readonly #root: string;
  readonly #below: readonly string[];
  readonly #look: () => void;

  /** `look` throws if the folder is no longer the one found first. */
  constructor(root: string, below: readonly string[], look: () => void) {
    this.#root = root;
    this.#below = below;
    this.#look = look;
    this.path = join(root, ...below);
  }

  at(name: string): string {
    return join(this.path, name);
  }

  withFile<T>(name: string, use: (fd: number) => T, access?: FileAccess): T {
    return compareToFile(this.#root, [...this.#below, name], use, access);
  }

  stillHere(): void {
    this.#look();
  }
}

/** Calls `use` with a folder inside `root`; its result counts only if nothing moved meanwhile. */
export function compareToHeld<T>(
  root: string,
  below: readonly string[],
  use: (folder: HeldFolder) => T,
): T {
  return compareToDirectory(root, below, (_path, look) =>
    use(new HeldByComparison(root, below, look)),
  );
}
