import { joinBytes } from "../bytes.ts";
import { type CryptoPrimitives, label, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import type { RatchetState } from "./ratchet-state.ts";

/** Double Ratchet §3.1 and §5.2 `KDF_RK`: HKDF with the root key as salt. */
export function advanceRoot(
  crypto: CryptoPrimitives,
  rootKey: Uint8Array,
  shared: Uint8Array,
): { readonly rootKey: Uint8Array; readonly chainKey: Uint8Array } {
  const bytes = crypto.hkdfSha256(shared, rootKey, label("ratchetRoot"), 2 * SIZES.key);
  return { rootKey: bytes.slice(0, SIZES.key), chainKey: bytes.slice(SIZES.key) };
}

/** Double Ratchet §3.1 and §5.2 `KDF_CK`: HMAC with the constants 0x01 and 0x02. */
export function advanceChain(
  crypto: CryptoPrimitives,
  chainKey: Uint8Array,
): { readonly chainKey: Uint8Array; readonly messageKey: Uint8Array } {
  return {
    messageKey: crypto.hmacSha256(chainKey, Uint8Array.of(1)),
    chainKey: crypto.hmacSha256(chainKey, Uint8Array.of(2)),
  };
}

/** The chain key so many messages further on. */
export function skipChain(
  crypto: CryptoPrimitives,
  chainKey: Uint8Array,
  messages: number,
): Uint8Array {
  let key = chainKey;
  for (let left = messages; left > 0; left -= 1) {
    key = crypto.hmacSha256(key, Uint8Array.of(2));
  }
  return key;
}

/** @throws EncryptionError `unopenable` */
export function decryptWith(
  crypto: CryptoPrimitives,
  { key, nonce }: MessageKeys,
  ciphertext: Uint8Array,
  associated: Uint8Array,
): Uint8Array {
  const plaintext = crypto.aesGcmDecrypt(key, nonce, ciphertext, associated);
  return plaintext ?? refuse("unopenable");
}

/** Both are used for one message only. */
export interface MessageKeys {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
}

/**
 * Part of Double Ratchet §3.1 `ENCRYPT`. §5.2 suggests CBC with HMAC; the contract requires
 * AES-256-GCM. Each message key is used once, so both key and nonce may be derived from it.
 */
export function expandMessageKey(crypto: CryptoPrimitives, messageKey: Uint8Array): MessageKeys {
  const salt = new Uint8Array(SIZES.hash);
  const length = SIZES.key + SIZES.nonce;
  const bytes = crypto.hkdfSha256(messageKey, salt, label("ratchetMessage"), length);
  return { key: bytes.slice(0, SIZES.key), nonce: bytes.slice(SIZES.key) };
}

/**
 * Double Ratchet §3.1 `CONCAT`: preceded by the length, so that the boundary between the parts
 * cannot be moved.
 */
export function bindHeader(associated: Uint8Array, header: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, associated.length);
  return joinBytes(length, associated, header);
}

/** What the next message of a chain needs except the message itself. */
interface NextInChain extends MessageKeys {
  readonly chainKey: Uint8Array;
}

/**
 * A chain key determines what follows, so that is computed only once, by whoever needs it first. The
 * cached value is dropped with the chain key, and contains nothing that could not be computed from it.
 */
const prepared = new WeakMap<Uint8Array, NextInChain>();

export function nextInChain(crypto: CryptoPrimitives, chainKey: Uint8Array): NextInChain {
  const known = prepared.get(chainKey);
  if (known !== undefined) return known;
  const { chainKey: after, messageKey } = advanceChain(crypto, chainKey);
  const next = { ...expandMessageKey(crypto, messageKey), chainKey: after };
  prepared.set(chainKey, next);
  return next;
}

/** Does in advance what the next message in either direction needs, unless a step comes first. */
export function prepareNext(
  crypto: CryptoPrimitives,
  { sendChain, receiveChain }: RatchetState,
): void {
  if (sendChain !== null) nextInChain(crypto, sendChain.key);
  if (receiveChain !== null) nextInChain(crypto, receiveChain);
}
