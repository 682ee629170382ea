import { execFileSync } from "node:child_process";

/** For tests: another volume, of 64 KiB, in a folder's place. Only where the account may. */
export class SmallDisk {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Null where it cannot be mounted. */
  static at(path: string): SmallDisk | null {
    const options = ["-t", "tmpfs", "-o", "size=64k,mode=755", "consentry-test", path];
    try {
      execFileSync("mount", options, { stdio: "ignore" });
      return new SmallDisk(path);
    } catch {
      return null;
    }
  }

  [Symbol.dispose](): void {
    execFileSync("umount", [this.#path]);
  }
}
