import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from "node:crypto";
import type { JsonValue } from "../../app/contract/json.ts";
import { hkdf, hmacKey } from "../../crypto/hmac-sha256.ts";

/**
 * A stored result can be read only with the same call: its key is derived from the call's
 * arguments, which are never stored (contract §6), so the file alone is not enough.
 *
 * Layout in bytes: version 1 (0x01) · nonce 12 · AES-256-GCM ciphertext of the result as JSON in
 * UTF-8 · tag 16. The key is HKDF-SHA256 (RFC 5869) over the RFC 8785 form of the arguments, with
 * agent id and call id as context.
 */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;
const SALT = hmacKey(Buffer.from("consentry/sealed-response/1", "utf8"));
const KEY_BYTES = 32;

export interface SealedFor {
  readonly agentId: string;
  readonly callId: string;
  /** RFC 8785 form of the call's arguments. */
  readonly canonicalArguments: string;
}

/** @param random returns that many unpredictable bytes */
export function sealResult(
  result: JsonValue,
  call: SealedFor,
  random: (bytes: number) => Uint8Array,
): Buffer {
  const nonce = random(NONCE_BYTES);
  const header = Buffer.concat([Buffer.of(VERSION), nonce]);
  const cipher = createCipheriv("aes-256-gcm", keyFor(call), nonce);
  cipher.setAAD(header);
  return Buffer.concat([
    header,
    cipher.update(JSON.stringify(result), "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** `undefined` if the arguments are not those it was sealed with, or the bytes were altered. */
export function openResult(sealed: Uint8Array, call: SealedFor): JsonValue | undefined {
  if (sealed.length < HEADER_BYTES + TAG_BYTES || sealed[0] !== VERSION) return undefined;
  const header = sealed.subarray(0, HEADER_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", keyFor(call), header.subarray(1), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(header);
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
}

/**
 * A JSON list separates the two ids unambiguously. A key object, because with raw bytes Node
 * creates and discards two errors with their stack traces at each call.
 */
function keyFor({ canonicalArguments, agentId, callId }: SealedFor): KeyObject {
  const context = Buffer.from(JSON.stringify([agentId, callId]), "utf8");
  return createSecretKey(hkdf(SALT, Buffer.from(canonicalArguments, "utf8"), context, KEY_BYTES));
}
