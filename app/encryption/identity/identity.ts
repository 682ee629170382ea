import { type CryptoPrimitives, type KeyPair, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import type { Suite } from "../envelope/suites.ts";
import { cardStatement, type IdentityCard, keyIdOf } from "./identity-card.ts";

/** An identity with its private keys, which leave the machine only in a key file or backup. */
export interface Identity {
  readonly signing: KeyPair;
  readonly agreement: KeyPair;
  readonly card: IdentityCard;
}

export interface IdentitySecrets {
  readonly ownerId: string;
  readonly signingPrivate: Uint8Array;
  readonly agreementPrivate: Uint8Array;
  /** An agent's level; null if it has none. */
  readonly level?: Suite | null;
}

/** @param level how to encrypt for an agent; null for a person */
export const createIdentity = (
  crypto: CryptoPrimitives,
  ownerId: string,
  level: Suite | null = null,
): Identity =>
  identityFrom(crypto, {
    ownerId,
    level,
    signingPrivate: crypto.randomBytes(SIZES.key),
    agreementPrivate: crypto.randomBytes(SIZES.key),
  });

/** Public keys are always computed from the private ones, so a pair cannot be mismatched. */
export function identityFrom(
  crypto: CryptoPrimitives,
  { ownerId, signingPrivate, agreementPrivate, level = null }: IdentitySecrets,
): Identity {
  const signingKey = crypto.ed25519PublicKey(signingPrivate);
  const agreementKey = crypto.x25519PublicKey(agreementPrivate);
  const fields = { ownerId, signingKey, agreementKey, level };
  const signature = crypto.ed25519Sign(signingPrivate, cardStatement(fields));
  return {
    signing: { privateKey: signingPrivate, publicKey: signingKey },
    agreement: { privateKey: agreementPrivate, publicKey: agreementKey },
    card: { ...fields, signature, keyId: keyIdOf(crypto, fields) },
  };
}

/** The X25519 shared secret. @throws EncryptionError `bad_public_key` */
export function agree(
  crypto: CryptoPrimitives,
  privateKey: Uint8Array,
  publicKey: Uint8Array,
): Uint8Array {
  return crypto.x25519(privateKey, publicKey) ?? refuse("bad_public_key");
}
