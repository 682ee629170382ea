import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, onTestFinished } from "vitest";

/** A new folder, by its path without links. */
const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), "consentry-scratch-")));

const removeFolder = (path: string): void => rmSync(path, { recursive: true, force: true });

/** A new folder, removed when the test that runs has finished. */
export function scratchFolder(): string {
  const path = newFolder();
  onTestFinished(() => removeFolder(path));
  return path;
}

/** For tests: a folder, and what subclasses put into it. */
export class ScratchFolder implements Disposable {
  base = newFolder();

  /** A new one for each test. */
  static forEachTest<T extends ScratchFolder, A extends readonly unknown[]>(
    this: new (
      ...args: A
    ) => T,
    ...args: A
  ): T {
    const scratch = new this(...args);
    afterEach(() => scratch.renew());
    afterAll(() => scratch.remove());
    return scratch;
  }

  /** Under another name, so that nothing late reaches the new one. */
  renew(): void {
    this.remove();
    this.base = newFolder();
  }

  remove(): void {
    removeFolder(this.base);
  }

  [Symbol.dispose](): void {
    this.remove();
  }
}
