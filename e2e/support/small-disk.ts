import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const MEBIBYTE = 1024 * 1024;
const BLOCK = 4_096;

/** A disk of some MiB, in memory, at a folder. */
export class SmallDisk {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Null where this account may mount nothing. */
  static at(folder: string, mebibytes: number): SmallDisk | null {
    mkdirSync(folder, { recursive: true });
    const made = spawnSync("mount", [
      "-t",
      "tmpfs",
      "-o",
      `size=${mebibytes}m,mode=0700`,
      "tmpfs",
      folder,
    ]);
    return made.status === 0 ? new SmallDisk(folder) : null;
  }

  /** Leaves no block free. */
  fill(): void {
    const file = openSync(this.#filling, "a");
    try {
      for (const size of [MEBIBYTE, BLOCK]) writeUntilFull(file, Buffer.alloc(size, 1));
    } finally {
      closeSync(file);
    }
  }

  empty(): void {
    rmSync(this.#filling, { force: true });
  }

  unmount(): void {
    spawnSync("umount", ["--lazy", this.#folder]);
  }

  get #filling(): string {
    return join(this.#folder, "filling");
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    while (writeSync(file, bytes) === bytes.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
