import { joinBytes } from "../bytes/join-bytes.ts";
import { type CryptoPrimitives, type KeyPair, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { agree, type Identity } from "../identity/identity.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import { label } from "../labels.ts";
import type { PrekeyBundle } from "./prekey-bundle.ts";
import type { PrekeyStore } from "./prekeys.ts";

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
