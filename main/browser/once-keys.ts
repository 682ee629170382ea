import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Scheduler } from "../../app/execution/ports.ts";

/** Length of a key in bytes (256 bits). */
const KEY_BYTES = 32;

export interface KeyParts {
  readonly random: (length: number) => Uint8Array;
  readonly scheduler: Scheduler;
}

export const newKey = (random: KeyParts["random"]): string =>
  Buffer.from(random(KEY_BYTES)).toString("base64url");

/** All that is kept of a key. The time that looking it up takes reveals nothing about 256 random bits. */
export const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex");

interface OnceKeyParts extends KeyParts {
  /** An unused key expires after this many milliseconds. */
  readonly ms: number;
  /** Maximum number of unused keys; beyond it the oldest expires. */
  readonly most: number;
}

/** Keys for one use each. */
export class OnceKeys<T> {
  readonly #parts: OnceKeyParts;
  readonly #kept = new Map<string, { readonly value: T; readonly cancel: () => void }>();

  constructor(parts: OnceKeyParts) {
    this.#parts = parts;
  }

  /** A new key, for this. */
  issue(value: T): string {
    const { random, scheduler, ms, most } = this.#parts;
    const key = newKey(random);
    const hash = hashOf(key);
    this.#kept.set(hash, { value, cancel: scheduler.after(ms, () => this.#remove(hash)) });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > most && oldest !== undefined) this.#remove(oldest);
    return key;
  }

  /** What the key is for, which uses it up; null if it is not valid. */
  take(key: string): T | null {
    return this.#remove(hashOf(key));
  }

  clear(): void {
    for (const hash of [...this.#kept.keys()]) this.#remove(hash);
  }

  #remove(hash: string): T | null {
    const found = this.#kept.get(hash);
    found?.cancel();
    this.#kept.delete(hash);
    return found?.value ?? null;
  }
}
