import { hash } from "node:crypto";

/** SHA-256 reads its input in blocks of this many bytes. */
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const BLOCKS_AT_MOST = 255;

/** A key of HMAC: the blocks that come before its input (RFC 2104). */
export interface HmacKey {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

/** By way of a string: to make a Buffer of its own takes Node three times as long as the hash. */
export const sha256 = (data: Uint8Array): Buffer =>
  Buffer.from(hash("sha256", data, "binary"), "latin1");

/** @param key of any length */
export function hmacKey(key: Uint8Array): HmacKey {
  const bytes = key.length > BLOCK_BYTES ? sha256(key) : key;
  const inner = Buffer.allocUnsafe(BLOCK_BYTES).fill(0x36);
  const outer = Buffer.allocUnsafe(BLOCK_BYTES).fill(0x5c);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    inner[at] = 0x36 ^ byte;
    outer[at] = 0x5c ^ byte;
  }
  return { inner, outer };
}

/**
 * HMAC-SHA256 (RFC 2104) of the parts one after the other. `createHmac` and `hkdfSync` return the same, but make
 * three native objects each time, which take longer to make and to collect than the hashes take.
 */
export const hmac = ({ inner, outer }: HmacKey, ...parts: readonly Uint8Array[]): Buffer =>
  sha256(Buffer.concat([outer, sha256(Buffer.concat([inner, ...parts]))]));

/**
 * HKDF-SHA256 (RFC 5869), extract and expand.
 * @throws RangeError for more than 8,160 bytes
 */
export function hkdf(salt: HmacKey, secret: Uint8Array, info: Uint8Array, length: number): Buffer {
  const count = Math.ceil(length / HASH_BYTES);
  if (count > BLOCKS_AT_MOST) throw new RangeError(`HKDF cannot derive ${length} bytes`);
  const key = hmacKey(hmac(salt, secret));
  const blocks: Buffer[] = [];
  for (let nth = 1; nth <= count; nth += 1) {
    blocks.push(hmac(key, ...blocks.slice(-1), info, Buffer.of(nth)));
  }
  return Buffer.concat(blocks, length);
}
