import { fstatSync } from "node:fs";
import { compareToDirectory, compareToFile } from "./open-by-comparison.ts";
import type { Tree } from "./tree.ts";

/**
 * For systems without `/proc/self/fd`: each step is checked before and after
 * (`open-by-comparison.ts`).
 */
export class TreeByComparison implements Tree {
  readonly #root: string;
  readonly #below: string[];

  constructor(root: string, below: readonly string[]) {
    this.#root = root;
    this.#below = [...below];
  }

  list<T>(use: (path: string) => T): T {
    return compareToDirectory(this.#root, this.#below, use);
  }

  withFile<T>(name: string, use: (fd: number, sizeBytes: number) => T): T {
    return compareToFile(this.#root, [...this.#below, name], (fd) => use(fd, fstatSync(fd).size));
  }

  enter(name: string): void {
    compareToDirectory(this.#root, [...this.#below, name], () => undefined);
    this.#below.push(name);
  }

  leave(): boolean {
    this.#below.pop();
    return true;
  }

  close(): void {
    this.#below.length = 0;
  }
}
