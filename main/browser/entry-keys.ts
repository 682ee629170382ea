import { hashOf, type KeyParts, newKey, OnceKeys } from "./once-keys.ts";

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
