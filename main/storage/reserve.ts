import { randomBytes } from "node:crypto";
import { removeOwnFile, replaceOwnFile } from "../../runtime/files/own-file.ts";

/** Some tens of refused calls. */
const RESERVE_BYTES = 2 * 1024 * 1024;

/**
 * Space on the disk for what must still be stored when there is no other: refusals, and the state of the
 * keys that seal them. While it is not held, nothing may run.
 */
export class Reserve {
  readonly #path: string;
  readonly #changed: (isHeld: boolean) => void;
  #isHeld = false;

  constructor(path: string, changed: (isHeld: boolean) => void) {
    this.#path = path;
    this.#changed = changed;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Takes the space, if there is that much. */
  take(): void {
    try {
      // A file system that compresses would keep no space for zeros.
      if (!this.#isHeld) replaceOwnFile(this.#path, randomBytes(RESERVE_BYTES));
      this.#become(true);
    } catch {
      this.release();
    }
  }

  /** Something could not be stored: gives the space back. */
  release(): void {
    try {
      removeOwnFile(this.#path);
    } catch {
      // Nothing can be changed in the folder: there is no space to be had.
    }
    this.#become(false);
  }

  #become(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    this.#changed(isHeld);
  }
}
