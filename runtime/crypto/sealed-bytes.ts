import { joinBytes } from "../../app/encryption/bytes.ts";
import { SIZES } from "../../app/encryption/crypto-primitives.ts";
import { nodePrimitives } from "./node-primitives.ts";

const VERSION = Uint8Array.of(1);
const HEADER_BYTES = VERSION.length + SIZES.nonce;

/**
 * Encrypted for this computer's own files and tables: `u8 1 ‖ [12] nonce ‖ AES-256-GCM(key, nonce, bytes) ‖
 * [16] tag`, with the version and the context as associated data. What was sealed for one context does not open
 * for another.
 *
 * @param key 32 bytes
 * @param random returns that many unpredictable bytes
 */
export function sealBytes(
  key: Uint8Array,
  bytes: Uint8Array,
  context: Uint8Array,
  random: (length: number) => Uint8Array = nodePrimitives.randomBytes,
): Uint8Array {
  const nonce = random(SIZES.nonce);
  const body = nodePrimitives.aesGcmEncrypt(key, nonce, bytes, joinBytes(VERSION, context));
  return Buffer.concat([VERSION, nonce, body]);
}

/** Null if it was not sealed with this key for this context, or altered afterwards. */
export function openBytes(
  key: Uint8Array,
  sealed: Uint8Array,
  context: Uint8Array,
): Uint8Array | null {
  if (sealed.length < HEADER_BYTES || sealed[0] !== VERSION[0]) return null;
  const nonce = sealed.subarray(VERSION.length, HEADER_BYTES);
  const body = sealed.subarray(HEADER_BYTES);
  return nodePrimitives.aesGcmDecrypt(key, nonce, body, joinBytes(VERSION, context));
}
