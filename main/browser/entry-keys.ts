import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import type { Scheduler } from "../../app/execution/ports.ts";

/** Length of an opening token and of a session secret in bytes (256 bits). */
const KEY_BYTES = 32;
/** An unused opening token expires after this many ms. */
export const OPENING_TOKEN_MS = 600_000;
/** Maximum number of unused tokens and of sessions; beyond it the oldest is forgotten. */
const KEPT_AT_MOST = 64;

export interface EntryKeys {
  /** A token that opens one page once. */
  newToken(): string;
  /** The page's session secret if `key` is a valid token or a session's secret; otherwise null. */
  admit(key: string): string | null;
  /** Forgets everything. */
  close(): void;
}

/** Keys are stored as hashes only, and compared in constant time. */
export function createEntryKeys(parts: {
  readonly random: (length: number) => Uint8Array;
  readonly scheduler: Scheduler;
}): EntryKeys {
  const tokens = new HashedKeys();
  const sessions = new HashedKeys();
  const newKey = () => Buffer.from(parts.random(KEY_BYTES)).toString("base64url");
  return {
    newToken() {
      const token = newKey();
      const digest = hash(token);
      tokens.add(
        digest,
        parts.scheduler.after(OPENING_TOKEN_MS, () => tokens.delete(digest)),
      );
      return token;
    },
    admit(key) {
      const digest = hash(key);
      if (sessions.has(digest)) return key;
      if (!tokens.delete(digest)) return null;
      const session = newKey();
      sessions.add(hash(session), () => {});
      return session;
    },
    close() {
      tokens.clear();
      sessions.clear();
    },
  };
}

const hash = (key: string): Buffer => createHash("sha256").update(key, "utf8").digest();

class HashedKeys {
  readonly #kept = new Map<Buffer, () => void>();

  /** @param onRemoved called once when the key is removed, for whatever reason */
  add(digest: Buffer, onRemoved: () => void): void {
    this.#kept.set(digest, onRemoved);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_AT_MOST && oldest !== undefined) this.#remove(oldest);
  }

  has(digest: Buffer): boolean {
    return this.#find(digest) !== undefined;
  }

  delete(digest: Buffer): boolean {
    const kept = this.#find(digest);
    if (kept === undefined) return false;
    this.#remove(kept);
    return true;
  }

  clear(): void {
    for (const digest of [...this.#kept.keys()]) this.#remove(digest);
  }

  #remove(kept: Buffer): void {
    const onRemoved = this.#kept.get(kept);
    this.#kept.delete(kept);
    onRemoved?.();
  }

  /** Compares with every key, so the time taken reveals nothing. */
  #find(digest: Buffer): Buffer | undefined {
    let found: Buffer | undefined;
    for (const each of this.#kept.keys()) if (timingSafeEqual(each, digest)) found = each;
    return found;
  }
}
