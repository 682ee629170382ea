import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  type KeyObject,
  randomFillSync,
  sign,
  verify,
} from "node:crypto";
import { setImmediate } from "node:timers";
import { joinBytes } from "../../app/encryption/bytes.ts";
import {
  type CryptoPrimitives,
  type KeyPair,
  SIZES,
} from "../../app/encryption/crypto-primitives.ts";
import { hkdf, hmac, hmacKey, sha256 } from "./hmac-sha256.ts";

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

type Curve = "x25519" | "ed25519";

/** RFC 8410: a private key's DER form without its 32 bytes. */
const DER = {
  x25519: Buffer.from("302e020100300506032b656e04220420", "hex"),
  ed25519: Buffer.from("302e020100300506032b657004220420", "hex"),
} as const;

/** RFC 8037. Used for public keys, because DER takes twice as long. */
const JWK_NAMES = { x25519: "X25519", ed25519: "Ed25519" } as const;

/**
 * Parsing a key takes as long as using it, and most keys are reused: an identity's for every
 * message. They are cached by the array that contains them, for as long as that exists; such an
 * array is never written to.
 */
type Known = WeakMap<Uint8Array, KeyObject>;
const privateKeys: Readonly<Record<Curve, Known>> = {
  x25519: new WeakMap(),
  ed25519: new WeakMap(),
};
const publicKeys: Readonly<Record<Curve, Known>> = {
  x25519: new WeakMap(),
  ed25519: new WeakMap(),
};

function remembered(known: Known, raw: Uint8Array, read: () => KeyObject): KeyObject {
  const before = known.get(raw);
  if (before !== undefined) return before;
  const key = read();
  known.set(raw, key);
  return key;
}

export const privateKeyFrom = (curve: Curve, raw: Uint8Array): KeyObject =>
  remembered(privateKeys[curve], raw, () => {
    const key = Buffer.concat([DER[curve], raw]);
    return withoutStacks(() => createPrivateKey({ key, format: "der", type: "pkcs8" }));
  });

export const publicKeyFrom = (curve: Curve, raw: Uint8Array): KeyObject =>
  remembered(publicKeys[curve], raw, () => {
    const x = Buffer.from(raw).toString("base64url");
    const key = { kty: "OKP", crv: JWK_NAMES[curve], x };
    return withoutStacks(() => createPublicKey({ key, format: "jwk" }));
  });

/**
 * Node throws twice internally before it sees that `{ key }` is no key object; recording both stack
 * traces takes three times as long as parsing the key.
 */
function withoutStacks<T>(work: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** The raw 32 bytes of the public key for a private key. */
function publicHalf(curve: Curve, privateRaw: Uint8Array): Uint8Array {
  const key = createPublicKey(privateKeyFrom(curve, privateRaw));
  const raw = rawBytes(key.export({ format: "jwk" }).x);
  publicKeys[curve].set(raw, key);
  return raw;
}

/**
 * Any 32 random bytes are a private key (RFC 7748 §6.1). `generateKeyPairSync` is not used: in Node
 * 20, if the garbage collector runs while such a key is being exported, it waits for ever for a
 * lock held by the export.
 */
function freshPair(): KeyPair {
  const privateKey = randomBytes(32);
  return { privateKey, publicKey: publicHalf("x25519", privateKey) };
}

const rawBytes = (base64url: string | undefined): Uint8Array =>
  new Uint8Array(Buffer.from(base64url ?? "", "base64url"));

/** Asking the system takes as long for this many bytes as for a few. */
const POOL_BYTES = 4_096;
const LARGEST = 64;

const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
let used = POOL_BYTES;

/** From the system's random number generator, a few at a time. Each byte is given out once, and is then erased. */
export function randomBytes(length: number): Uint8Array {
  if (length > LARGEST) return randomFillSync(new Uint8Array(length));
  if (used + length > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = new Uint8Array(pool.subarray(used, used + length));
  pool.fill(0, used, used + length);
  used += length;
  return bytes;
}

/** Runs a job in the next turn of the event loop. */
export const later = (job: () => void): void => void setImmediate(job);
