import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  diffieHellman,
  sign,
  verify,
} from "node:crypto";
import { joinBytes } from "../../app/encryption/bytes/join-bytes.ts";
import { type CryptoPrimitives, SIZES } from "../../app/encryption/crypto-primitives.ts";
import { hkdf, hmac, hmacKey, sha256 } from "./hmac-sha256.ts";
import { randomBytes } from "./random-bytes.ts";
import { freshPair, privateKeyFrom, publicHalf, publicKeyFrom } from "./raw-keys.ts";

const CIPHER = "aes-256-gcm";
const OPTIONS = { authTagLength: SIZES.tag };

/**
 * For Node 24 and Electron 45: only what both OpenSSL and BoringSSL have. Secrets are passed as key
 * objects, because with raw bytes Node takes several times as long as the operation itself.
 */
export const nodePrimitives: CryptoPrimitives = {
  randomBytes,
  sha256: (data) => new Uint8Array(sha256(data)),
  hmacSha256: (key, data) => new Uint8Array(hmac(hmacKey(key), data)),
  hkdfSha256: (secret, salt, info, length) =>
    new Uint8Array(hkdf(hmacKey(salt), secret, info, length)),
  x25519Pair: freshPair,
  x25519PublicKey: (privateKey) => publicHalf("x25519", privateKey),
  x25519: agreeOnKey,
  ed25519PublicKey: (privateKey) => publicHalf("ed25519", privateKey),
  ed25519Sign: (privateKey, message) =>
    new Uint8Array(sign(null, message, privateKeyFrom("ed25519", privateKey))),
  ed25519Verify: verifySignature,
  aesGcmEncrypt: encrypt,
  aesGcmDecrypt: decrypt,
};

function agreeOnKey(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array | null {
  const own = privateKeyFrom("x25519", privateKey);
  const other = publicKeyFrom("x25519", publicKey);
  try {
    const shared = new Uint8Array(diffieHellman({ privateKey: own, publicKey: other }));
    return shared.some((byte) => byte !== 0) ? shared : null;
  } catch {
    // Both libraries already refuse an all-zero result; this is for one that does not.
    return null;
  }
}

function verifySignature(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== SIZES.key || signature.length !== SIZES.signature) return false;
  try {
    return verify(null, message, publicKeyFrom("ed25519", key), signature);
  } catch {
    return false;
  }
}

function encrypt(
  key: Uint8Array,
  nonce: Uint8Array,
  plaintext: Uint8Array,
  associated: Uint8Array,
): Uint8Array {
  const cipher = createCipheriv(CIPHER, createSecretKey(key), nonce, OPTIONS);
  cipher.setAAD(associated);
  const body = cipher.update(plaintext);
  // GCM pads nothing, so this returns no bytes.
  cipher.final();
  return joinBytes(body, cipher.getAuthTag());
}

function decrypt(
  key: Uint8Array,
  nonce: Uint8Array,
  ciphertext: Uint8Array,
  associated: Uint8Array,
): Uint8Array | null {
  const end = ciphertext.length - SIZES.tag;
  if (end < 0) return null;
  const decipher = createDecipheriv(CIPHER, createSecretKey(key), nonce, OPTIONS);
  decipher.setAAD(associated);
  decipher.setAuthTag(ciphertext.subarray(end));
  const body = decipher.update(ciphertext.subarray(0, end));
  try {
    decipher.final();
  } catch {
    return null;
  }
  return new Uint8Array(body.buffer, body.byteOffset, body.length);
}
