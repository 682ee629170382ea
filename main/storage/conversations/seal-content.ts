import { createCipheriv, createDecipheriv, createHmac, createSecretKey } from "node:crypto";

/**
 * `u8 1 ‖ [12] nonce ‖ AES-256-GCM(key, nonce, JSON in UTF-8) ‖ [16] tag`. The associated data is
 * the version byte and the JSON list of the names it is bound to, so content sealed for one row
 * does not open in another.
 */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

export interface ContentSeal {
  seal(content: unknown, names: readonly string[]): Buffer;
  /** `undefined`: not sealed with this key for these names, or altered afterwards. */
  open(sealed: Uint8Array, names: readonly string[]): unknown;
  /** The same for the same names; what they are cannot be told from it without the key. */
  alias(names: readonly string[]): string;
}

/**
 * @param key 32 bytes, used for nothing else
 * @param random returns that many unpredictable bytes
 */
export function contentSeal(key: Uint8Array, random: (bytes: number) => Uint8Array): ContentSeal {
  // With raw bytes, Node would create a key object and two discarded errors at each use.
  const kept = createSecretKey(key);
  const aliases = createHmac("sha256", kept).update("aliases").digest();
  return {
    alias: (names) => createHmac("sha256", aliases).update(JSON.stringify(names)).digest("hex"),
    seal(content, names) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", kept, nonce);
      cipher.setAAD(associated(names));
      return Buffer.concat([
        Buffer.of(VERSION),
        nonce,
        cipher.update(JSON.stringify(content), "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
    },
    open(sealed, names) {
      if (sealed.length < HEADER_BYTES + TAG_BYTES || sealed[0] !== VERSION) return undefined;
      const nonce = sealed.subarray(1, HEADER_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", kept, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(associated(names));
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
      try {
        const text = Buffer.concat([
          decipher.update(sealed.subarray(HEADER_BYTES, sealed.length - TAG_BYTES)),
          decipher.final(),
        ]);
        return JSON.parse(text.toString("utf8"));
      } catch {
        return undefined;
      }
    },
  };
}

const associated = (names: readonly string[]): Buffer =>
  Buffer.concat([Buffer.of(VERSION), Buffer.from(JSON.stringify(names))]);
