/** Bytes of each thing that has a fixed length. */
export const SIZES = {
  key: 32,
  hash: 32,
  signature: 64,
  nonce: 12,
  tag: 16,
} as const;

/** WebCrypto answers later, Node at once; both fit. */
export type Answer<T> = T | Promise<T>;

/** 32 raw bytes each (RFC 7748 §5, RFC 8032 §5.1.5: the private key is the seed). */
export interface KeyPair {
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
}

/**
 * All the cryptography that encryption builds on, and nothing that BoringSSL (Electron) or
 * WebCrypto lack. Implementations check nothing but what is said here.
 */
export interface CryptoPrimitives {
  /** From the system's generator. */
  randomBytes(length: number): Uint8Array;
  sha256(data: Uint8Array): Answer<Uint8Array>;
  hmacSha256(key: Uint8Array, data: Uint8Array): Answer<Uint8Array>;
  /** RFC 5869; extract and expand. */
  hkdfSha256(
    secret: Uint8Array,
    salt: Uint8Array,
    info: Uint8Array,
    length: number,
  ): Answer<Uint8Array>;
  /** A fresh pair, from the system's generator. */
  x25519Pair(): Answer<KeyPair>;
  x25519PublicKey(privateKey: Uint8Array): Answer<Uint8Array>;
  /** @returns null for a public key of small order, whose result would be all zero (RFC 7748 §6.1) */
  x25519(privateKey: Uint8Array, publicKey: Uint8Array): Answer<Uint8Array | null>;
  ed25519PublicKey(privateKey: Uint8Array): Answer<Uint8Array>;
  ed25519Sign(privateKey: Uint8Array, message: Uint8Array): Answer<Uint8Array>;
  /** @returns false too for something that is not a key or signature */
  ed25519Verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Answer<boolean>;
  /** @returns ciphertext and then the 16 bytes of the tag */
  aesGcmEncrypt(
    key: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associated: Uint8Array,
  ): Answer<Uint8Array>;
  /** @returns null when the tag does not hold */
  aesGcmDecrypt(
    key: Uint8Array,
    nonce: Uint8Array,
    ciphertext: Uint8Array,
    associated: Uint8Array,
  ): Answer<Uint8Array | null>;
}
