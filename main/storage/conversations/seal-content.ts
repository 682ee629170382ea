import { hmac, hmacKey } from "../../../runtime/crypto/hmac-sha256.ts";
import { openBytes, sealBytes } from "../../../runtime/crypto/sealed-bytes.ts";

export interface ContentSeal {
  seal(content: unknown, names: readonly string[]): Uint8Array;
  /** `undefined`: not sealed with this key for these names, or altered afterwards. */
  open(sealed: Uint8Array, names: readonly string[]): unknown;
  /** The same for the same names; what they are cannot be told from it without the key. */
  alias(names: readonly string[]): string;
}

/**
 * Content as JSON, sealed for the names it is bound to, so what was sealed for one row does not open in another.
 *
 * @param key 32 bytes, used for nothing else
 * @param random returns that many unpredictable bytes
 */
export function contentSeal(key: Uint8Array, random: (bytes: number) => Uint8Array): ContentSeal {
  const aliases = hmacKey(hmac(hmacKey(key), Buffer.from("aliases")));
  return {
    alias: (names) => hmac(aliases, json(names)).toString("hex"),
    seal: (content, names) => sealBytes(key, json(content), json(names), random),
    open(sealed, names) {
      const opened = openBytes(key, sealed, json(names));
      return opened === null ? undefined : JSON.parse(Buffer.from(opened).toString("utf8"));
    },
  };
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
