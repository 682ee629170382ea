import { join } from "node:path";
import { compareToDirectory, compareToFile } from "../opening/open-by-comparison.ts";
import type { HeldFolder } from "./held-folder.ts";

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

  withFile<T>(name: string, use: (fd: number) => T): T {
    return compareToFile(this.#root, [...this.#below, name], use);
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
