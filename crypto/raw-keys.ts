import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** RFC 8410: everything in the DER forms of these keys but the 32 bytes themselves. */
const DER = {
  x25519Private: Buffer.from("302e020100300506032b656e04220420", "hex"),
  x25519Public: Buffer.from("302a300506032b656e032100", "hex"),
  ed25519Private: Buffer.from("302e020100300506032b657004220420", "hex"),
  ed25519Public: Buffer.from("302a300506032b6570032100", "hex"),
} as const;

export type Curve = "x25519" | "ed25519";

/**
 * Reading a key costs as much as using it, and most keys are used again: an identity's with every
 * message. They are remembered by the array that holds them, for as long as that lives; no array
 * of a key is ever written to.
 */
const read = {
  x25519Private: new WeakMap<Uint8Array, KeyObject>(),
  x25519Public: new WeakMap<Uint8Array, KeyObject>(),
  ed25519Private: new WeakMap<Uint8Array, KeyObject>(),
  ed25519Public: new WeakMap<Uint8Array, KeyObject>(),
};

function remembered(
  form: keyof typeof DER,
  raw: Uint8Array,
  make: (der: Buffer) => KeyObject,
): KeyObject {
  const known = read[form].get(raw);
  if (known !== undefined) return known;
  const key = make(Buffer.concat([DER[form], raw]));
  read[form].set(raw, key);
  return key;
}

export const privateKeyFrom = (curve: Curve, raw: Uint8Array): KeyObject =>
  remembered(`${curve}Private`, raw, (key) =>
    createPrivateKey({ key, format: "der", type: "pkcs8" }),
  );

export const publicKeyFrom = (curve: Curve, raw: Uint8Array): KeyObject =>
  remembered(`${curve}Public`, raw, (key) => createPublicKey({ key, format: "der", type: "spki" }));

/** The raw 32 bytes of the public key that belongs to a private one. */
export function publicHalf(curve: Curve, privateRaw: Uint8Array): Uint8Array {
  const key = createPublicKey(privateKeyFrom(curve, privateRaw));
  // As a JWK: writing DER takes a hundred microseconds here, this takes two.
  const { x } = key.export({ format: "jwk" });
  const raw = new Uint8Array(Buffer.from(x ?? "", "base64url"));
  read[`${curve}Public`].set(raw, key);
  return raw;
}
