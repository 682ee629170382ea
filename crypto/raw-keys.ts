import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** RFC 8410: everything in the DER forms of these keys but the 32 bytes themselves. */
const DER = {
  x25519Private: Buffer.from("302e020100300506032b656e04220420", "hex"),
  x25519Public: Buffer.from("302a300506032b656e032100", "hex"),
  ed25519Private: Buffer.from("302e020100300506032b657004220420", "hex"),
  ed25519Public: Buffer.from("302a300506032b6570032100", "hex"),
} as const;

export type Curve = "x25519" | "ed25519";

export const privateKeyFrom = (curve: Curve, raw: Uint8Array): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([DER[`${curve}Private`], raw]),
    format: "der",
    type: "pkcs8",
  });

export const publicKeyFrom = (curve: Curve, raw: Uint8Array): KeyObject =>
  createPublicKey({
    key: Buffer.concat([DER[`${curve}Public`], raw]),
    format: "der",
    type: "spki",
  });

/** The raw 32 bytes of the public key that belongs to a private one. */
export function publicHalf(curve: Curve, privateRaw: Uint8Array): Uint8Array {
  const key = createPublicKey(privateKeyFrom(curve, privateRaw));
  const der = key.export({ format: "der", type: "spki" });
  return new Uint8Array(der.subarray(DER[`${curve}Public`].length));
}
