import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import type { KeyPair } from "../../app/encryption/crypto-primitives.ts";

export type Curve = "x25519" | "ed25519";

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
export function publicHalf(curve: Curve, privateRaw: Uint8Array): Uint8Array {
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
export function freshPair(): KeyPair {
  const privateKey = new Uint8Array(randomBytes(32));
  return { privateKey, publicKey: publicHalf("x25519", privateKey) };
}

const rawBytes = (base64url: string | undefined): Uint8Array =>
  new Uint8Array(Buffer.from(base64url ?? "", "base64url"));
