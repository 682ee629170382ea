import { join } from "node:path";
import { compareToDirectory, compareToFile } from "../opening/open-by-comparison.ts";
import type { HeldFolder } from "./held-folder.ts";

/**
 * Systems without `/proc/self/fd`. WEAKER, as `open-by-comparison.ts` says: the folder is named by
 * its path, and looked at before each step. Another program that swaps it between the look and the
 * step moves that one step elsewhere; an agent alone cannot.
 */
class HeldByComparison implements HeldFolder {
  readonly path: string;
  readonly #root: string;
  readonly #below: readonly string[];
  readonly #look: () => void;

  /** `look` throws when the folder is not the one that was found at first. */
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
