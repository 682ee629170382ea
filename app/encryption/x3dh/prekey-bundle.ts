import { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { equalBytes } from "../bytes/compare-bytes.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { encodeCard, type IdentityCard, readCard } from "../identity/identity-card.ts";
import { PREKEY_RULES } from "./plan-prekeys.ts";
import {
  type OneTimePrekey,
  oneTimePrekeyStatement,
  type SignedPrekey,
  signedPrekeyStatement,
} from "./prekeys.ts";

const BUNDLE_VERSION = 1;

/** X3DH §3.3: what is needed to write to somebody who is offline. The hub returns it. */
export interface PrekeyBundle {
  readonly card: IdentityCard;
  readonly signed: SignedPrekey;
  readonly oneTime: OneTimePrekey | null;
}

export function encodeBundle({ card, signed, oneTime }: PrekeyBundle): Uint8Array {
  return joinBundle({
    card: encodeCard(card),
    signedPrekey: encodeSignedPrekey(signed),
    oneTimePrekey: oneTime && encodeOneTimePrekey(oneTime),
  });
}

export const encodeSignedPrekey = ({ id, createdAt, publicKey, signature }: SignedPrekey) =>
  new ByteWriter().u32(id).u64(createdAt).raw(publicKey).raw(signature).done();

export const encodeOneTimePrekey = ({ id, publicKey, signature }: OneTimePrekey) =>
  new ByteWriter().u32(id).raw(publicKey).raw(signature).done();

/** A bundle's parts as published. */
export interface BundleParts {
  readonly card: Uint8Array;
  readonly signedPrekey: Uint8Array;
  readonly oneTimePrekey: Uint8Array | null;
}

/** What the hub does: it combines the published parts without having to understand them. */
export function joinBundle({ card, signedPrekey, oneTimePrekey }: BundleParts): Uint8Array {
  const writer = new ByteWriter().u8(BUNDLE_VERSION).bytes16(card).raw(signedPrekey);
  return writer.optional(oneTimePrekey, (prekey) => writer.raw(prekey)).done();
}

/** Bytes of a published prekey: `SIGNED_PREKEY_BYTES` with its time, else without. */
export const ONE_TIME_PREKEY_BYTES = 4 + SIZES.key + SIZES.signature;
export const SIGNED_PREKEY_BYTES = ONE_TIME_PREKEY_BYTES + 8;

export interface BundleExpectation {
  /** The identity that the person knows. What the hub says does not count. */
  readonly card: IdentityCard;
  /** ms since the epoch */
  readonly now: number;
}

/**
 * X3DH §3.3: "verifies the prekey signature and aborts the protocol if verification fails".
 * @throws EncryptionError `malformed`, `unsupported_version`, `bad_identity` (also for an identity
 * other than the expected one), `bad_prekey`, `stale_prekey`
 */
export function readBundle(
  crypto: CryptoPrimitives,
  bytes: Uint8Array,
  { card: expected, now }: BundleExpectation,
): PrekeyBundle {
  const reader = new ByteReader(bytes);
  if (reader.u8() !== BUNDLE_VERSION) refuse("unsupported_version");
  const cardBytes = reader.bytes16();
  const signed = readSigned(reader);
  const oneTime = reader.optional(() => readOneTime(reader));
  reader.end();
  const card = readCard(crypto, cardBytes);
  if (!equalBytes(card.keyId, expected.keyId)) refuse("bad_identity");
  requireSignatures(crypto, { card, signed, oneTime });
  if (now - signed.createdAt > PREKEY_RULES.refuseAfterMs) refuse("stale_prekey");
  return { card, signed, oneTime };
}

const readSigned = (reader: ByteReader): SignedPrekey => ({
  id: reader.u32(),
  createdAt: reader.u64(),
  publicKey: reader.fixed(SIZES.key),
  signature: reader.fixed(SIZES.signature),
});

const readOneTime = (reader: ByteReader): OneTimePrekey => ({
  id: reader.u32(),
  publicKey: reader.fixed(SIZES.key),
  signature: reader.fixed(SIZES.signature),
});

function requireSignatures(crypto: CryptoPrimitives, bundle: PrekeyBundle): void {
  const { card, signed, oneTime } = bundle;
  const holds = (statement: Uint8Array, signature: Uint8Array) =>
    crypto.ed25519Verify(card.signingKey, statement, signature);
  if (!holds(signedPrekeyStatement(card, signed), signed.signature)) refuse("bad_prekey");
  if (oneTime === null) return;
  if (!holds(oneTimePrekeyStatement(card, oneTime), oneTime.signature)) {
    refuse("bad_prekey");
  }
}
