import { utf8 } from "./bytes/text-bytes.ts";

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
