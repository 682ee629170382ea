import { execFileSync } from "node:child_process";

/** For tests: a separate volume of 64 KiB mounted over a folder, if the account may do that. */
export class SmallDisk {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Null if it cannot be mounted. */
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
