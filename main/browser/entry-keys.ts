import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Scheduler } from "../../app/execution/ports.ts";
import type { DeliverFile, OutgoingFile } from "../client/host-port.ts";

/** An unused opening token expires after this many ms. */
export const OPENING_TOKEN_MS = 600_000;
/**
 * Maximum number of unused tokens and of sessions; beyond it the oldest token, or the session that was
 * not used for longest, is forgotten.
 */
const KEPT_AT_MOST = 64;

export interface EntryKeys {
  /** A token that opens one page once. */
  newToken(): string;
  /** The page's session secret if `key` is a valid token or a session's secret; otherwise null. */
  admit(key: string): string | null;
  /** Forgets everything. */
  close(): void;
}

/** Keys are stored as hashes only. */
export function createEntryKeys(parts: KeyParts): EntryKeys {
  const tokens = new OnceKeys<true>({ ...parts, ms: OPENING_TOKEN_MS, most: KEPT_AT_MOST });
  /** Hashes; the one that was used last is the last. */
  const sessions = new Set<string>();
  const used = (session: string): string => {
    const hash = hashOf(session);
    sessions.delete(hash);
    sessions.add(hash);
    const [oldest] = sessions;
    if (sessions.size > KEPT_AT_MOST && oldest !== undefined) sessions.delete(oldest);
    return session;
  };
  return {
    newToken: () => tokens.issue(true),
    admit(key) {
      if (sessions.has(hashOf(key))) return used(key);
      return tokens.take(key) === null ? null : used(newKey(parts.random));
    },
    close() {
      tokens.clear();
      sessions.clear();
    },
  };
}

/** Length of a key in bytes (256 bits). */
const KEY_BYTES = 32;

export interface KeyParts {
  readonly random: (length: number) => Uint8Array;
  readonly scheduler: Scheduler;
}

const newKey = (random: KeyParts["random"]): string =>
  Buffer.from(random(KEY_BYTES)).toString("base64url");

/** All that is kept of a key. The time that looking it up takes reveals nothing about 256 random bits. */
const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex");

interface OnceKeyParts extends KeyParts {
  /** An unused key expires after this many milliseconds. */
  readonly ms: number;
  /** Maximum number of unused keys; beyond it the oldest expires. */
  readonly most: number;
}

/** Keys for one use each. */
class OnceKeys<T> {
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

/** An unused ticket expires after this many ms. */
export const TICKET_MS = 60_000;
/** Maximum number of unused tickets; beyond it the oldest expires. */
const TICKETS_AT_MOST = 16;
export const EXPORT_PATH = "/export/";

export interface DownloadTickets {
  /** Answers a page's call with an address that returns the file once. */
  readonly deliver: DeliverFile;
  /** The file for a path, if its ticket is valid; this uses up the ticket. */
  take(path: string): OutgoingFile | null;
  close(): void;
}

/**
 * The browser opens a download's address without the page's secret, and remembers it. So the page
 * receives a ticket over its own connection, which opens one file, once and only for a short time.
 */
export function createDownloadTickets(parts: KeyParts): DownloadTickets {
  const tickets = new OnceKeys<OutgoingFile>({ ...parts, ms: TICKET_MS, most: TICKETS_AT_MOST });
  return {
    deliver: async (file) => ({ kind: "download", path: `${EXPORT_PATH}${tickets.issue(file)}` }),
    take: (path) =>
      path.startsWith(EXPORT_PATH) ? tickets.take(path.slice(EXPORT_PATH.length)) : null,
    close: () => tickets.clear(),
  };
}
