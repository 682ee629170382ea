import { ByteReader, ByteWriter, equalBytes, joinBytes } from "../bytes.ts";
import { type CryptoPrimitives, type KeyPair, label, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import {
  agree,
  encodeCard,
  type Identity,
  type IdentityCard,
  readCard,
} from "../identity/identity.ts";
import {
  type OneTimePrekey,
  oneTimePrekeyStatement,
  PREKEY_RULES,
  type PrekeyStore,
  type SignedPrekey,
  signedPrekeyStatement,
} from "./prekeys.ts";

/** X3DH §3.3: what the first messages carry so that the other end can compute the same secret. */
export interface Prelude {
  /** EK_A */
  readonly ephemeralKey: Uint8Array;
  readonly signedPrekeyId: number;
  readonly oneTimePrekeyId: number | null;
}

interface Agreement {
  /** SK, 32 bytes */
  readonly secret: Uint8Array;
  /** AD (X3DH §3.3) */
  readonly associated: Uint8Array;
}

export interface InitiatedAgreement extends Agreement {
  readonly prelude: Prelude;
}

export interface AcceptedAgreement extends Agreement {
  /** SPK_B: the Double Ratchet's first key pair (Double Ratchet §5.1). */
  readonly signedPrekey: KeyPair;
}

/** X3DH §3.3, Alice's side. The bundle comes from `readBundle`, which has verified it. */
export function initiateX3dh(
  crypto: CryptoPrimitives,
  own: Identity,
  { card, signed, oneTime }: PrekeyBundle,
): InitiatedAgreement {
  const ephemeral = crypto.x25519Pair();
  const dh1 = agree(crypto, own.agreement.privateKey, signed.publicKey);
  const dh2 = agree(crypto, ephemeral.privateKey, card.agreementKey);
  const dh3 = agree(crypto, ephemeral.privateKey, signed.publicKey);
  const dh4 = oneTime && agree(crypto, ephemeral.privateKey, oneTime.publicKey);
  return {
    secret: deriveSecret(crypto, [dh1, dh2, dh3], dh4),
    associated: associatedData(own.card, card),
    prelude: {
      ephemeralKey: ephemeral.publicKey,
      signedPrekeyId: signed.id,
      oneTimePrekeyId: oneTime?.id ?? null,
    },
  };
}

/** X3DH §3.4, Bob's side. @throws EncryptionError `unknown_prekey`, `bad_public_key` */
export function acceptX3dh(
  crypto: CryptoPrimitives,
  own: Identity,
  peer: IdentityCard,
  prekeys: PrekeyStore,
  { ephemeralKey, signedPrekeyId, oneTimePrekeyId }: Prelude,
): AcceptedAgreement {
  const signedPrekey = find(prekeys.signed, signedPrekeyId);
  const oneTime = oneTimePrekeyId === null ? null : find(prekeys.oneTime, oneTimePrekeyId);
  const dh1 = agree(crypto, signedPrekey.privateKey, peer.agreementKey);
  const dh2 = agree(crypto, own.agreement.privateKey, ephemeralKey);
  const dh3 = agree(crypto, signedPrekey.privateKey, ephemeralKey);
  const dh4 = oneTime && agree(crypto, oneTime.privateKey, ephemeralKey);
  return {
    secret: deriveSecret(crypto, [dh1, dh2, dh3], dh4),
    associated: associatedData(peer, own.card),
    signedPrekey,
  };
}

const find = <T extends { readonly id: number }>(prekeys: readonly T[], id: number): T =>
  prekeys.find((prekey) => prekey.id === id) ?? refuse("unknown_prekey");

/**
 * X3DH §2.2 `KDF(KM)`: F is 32 bytes of 0xff for X25519, the salt is as many zeros as a hash has
 * bytes.
 */
function deriveSecret(
  crypto: CryptoPrimitives,
  always: readonly Uint8Array[],
  dh4: Uint8Array | null,
): Uint8Array {
  const f = new Uint8Array(SIZES.key).fill(0xff);
  const material = joinBytes(f, ...always, ...(dh4 === null ? [] : [dh4]));
  const salt = new Uint8Array(SIZES.hash);
  return crypto.hkdfSha256(material, salt, label("x3dh"), SIZES.key);
}

/**
 * X3DH §3.3: Encode(IK_A) || Encode(IK_B), then both key ids, which cover owners and signing keys.
 */
const associatedData = (initiator: IdentityCard, responder: IdentityCard): Uint8Array =>
  joinBytes(initiator.agreementKey, responder.agreementKey, initiator.keyId, responder.keyId);

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
interface BundleParts {
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

interface BundleExpectation {
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
