import { equalBytes, joinBytes, utf8 } from "./bytes.ts";
import { refuse } from "./encryption-error.ts";

/** Fixed lengths, in bytes. */
export const SIZES = {
  key: 32,
  hash: 32,
  signature: 64,
  nonce: 12,
  tag: 16,
} as const;

/** 32 raw bytes each (RFC 7748 §5; RFC 8032 §5.1.5: the private key is the seed). */
export interface KeyPair {
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
}

/**
 * All the cryptography that encryption is built on, available in BoringSSL (Electron) too. Implementations check
 * only what is stated here.
 */
export interface CryptoPrimitives {
  /** From the system's random number generator. */
  randomBytes(length: number): Uint8Array;
  sha256(data: Uint8Array): Uint8Array;
  hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array;
  /** RFC 5869, extract and expand. */
  hkdfSha256(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Uint8Array;
  /** A new pair, from the system's random number generator. */
  x25519Pair(): KeyPair;
  x25519PublicKey(privateKey: Uint8Array): Uint8Array;
  /**
   * @returns null for a public key of small order, for which the result would be all zeros (RFC
   * 7748 §6.1)
   */
  x25519(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array | null;
  ed25519PublicKey(privateKey: Uint8Array): Uint8Array;
  ed25519Sign(privateKey: Uint8Array, message: Uint8Array): Uint8Array;
  /** @returns false also for invalid keys and signatures */
  ed25519Verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  /** @returns the ciphertext, followed by the 16-byte tag */
  aesGcmEncrypt(
    key: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associated: Uint8Array,
  ): Uint8Array;
  /** @returns null if the tag does not match */
  aesGcmDecrypt(
    key: Uint8Array,
    nonce: Uint8Array,
    ciphertext: Uint8Array,
    associated: Uint8Array,
  ): Uint8Array | null;
}

/**
 * The purpose of every hash, signature and derived key. No two uses share a label, and no label is
 * a prefix of another, so a value made for one use is useless for another. Listed in
 * docs/encryption.md.
 */
export const PURPOSES = {
  identity: "identity",
  identityCard: "identity card",
  fingerprint: "fingerprint",
  fingerprintWords: "fingerprint words",
  content: "content",
  wrap: "wrap",
  envelope: "envelope signature",
  x3dh: "x3dh",
  signedPrekey: "signed prekey",
  oneTimePrekey: "one-time prekey",
  ratchetRoot: "ratchet root",
  ratchetMessage: "ratchet message",
  state: "state",
  ledgerStart: "ledger start",
  ledgerEntry: "ledger entry",
  ledgerSignature: "ledger signature",
  keyFile: "key file",
  stream: "stream",
  streamPart: "stream part",
  hostKey: "host key",
  hostKeyUse: "host key use",
  signIn: "sign-in",
} as const;
export type Purpose = keyof typeof PURPOSES;

const LABELS = new Map<Purpose, Uint8Array>();

/**
 * `consentry-e2ee-v1`, a space, the purpose, a zero byte. Always the same array: do not modify it.
 */
export function label(purpose: Purpose): Uint8Array {
  const known = LABELS.get(purpose);
  if (known !== undefined) return known;
  const bytes = utf8(`consentry-e2ee-v1 ${PURPOSES[purpose]}\0`);
  LABELS.set(purpose, bytes);
  return bytes;
}

const checksum = (crypto: CryptoPrimitives, body: Uint8Array) =>
  crypto.sha256(joinBytes(label("state"), body));

/**
 * Stored state is followed by its hash: a key with a flipped bit would still be accepted as a key.
 */
export const withChecksum = (crypto: CryptoPrimitives, body: Uint8Array): Uint8Array =>
  joinBytes(body, checksum(crypto, body));

/** @throws EncryptionError `corrupt_state` */
export function checkedBody(crypto: CryptoPrimitives, stored: Uint8Array): Uint8Array {
  const end = stored.length - SIZES.hash;
  if (end < 0) refuse("corrupt_state");
  const body = stored.slice(0, end);
  if (!equalBytes(checksum(crypto, body), stored.subarray(end))) refuse("corrupt_state");
  return body;
}
