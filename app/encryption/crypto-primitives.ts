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
