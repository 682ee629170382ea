import { joinBytes } from "../bytes/join-bytes.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { agree, type Identity } from "../identity/identity.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import { label } from "../labels.ts";

/** For one recipient and one message. Whoever takes it must make sure that it is not used again. */
export interface WrapKey {
  readonly ephemeralKey: Uint8Array;
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
}

/** L2: a new X25519 pair and HKDF-SHA256, the part that does not depend on the message. */
export async function makeWrapKey(
  crypto: CryptoPrimitives,
  recipient: IdentityCard,
): Promise<WrapKey> {
  const { privateKey, publicKey: ephemeralKey } = await crypto.x25519Pair();
  const shared = await agree(crypto, privateKey, recipient.agreementKey);
  return { ephemeralKey, ...(await deriveWrapKey(crypto, shared, ephemeralKey, recipient)) };
}

/** L2: the ephemeral key, followed by the AES-256-GCM ciphertext. */
export async function wrapSecret(
  crypto: CryptoPrimitives,
  { ephemeralKey, key, nonce }: WrapKey,
  secret: Uint8Array,
  context: Uint8Array,
): Promise<Uint8Array> {
  return joinBytes(ephemeralKey, await crypto.aesGcmEncrypt(key, nonce, secret, context));
}

/** @throws EncryptionError `unopenable`, `bad_public_key` */
export async function unwrapSecret(
  crypto: CryptoPrimitives,
  { agreement, card }: Identity,
  wrapped: Uint8Array,
  context: Uint8Array,
): Promise<Uint8Array> {
  if (wrapped.length < SIZES.key + SIZES.tag) refuse("unopenable");
  const publicKey = wrapped.slice(0, SIZES.key);
  const shared = await agree(crypto, agreement.privateKey, publicKey);
  const { key, nonce } = await deriveWrapKey(crypto, shared, publicKey, card);
  const secret = await crypto.aesGcmDecrypt(key, nonce, wrapped.subarray(SIZES.key), context);
  return secret ?? refuse("unopenable");
}

/**
 * Both public keys are included (RFC 7748 §6.1), because several of them lead to the same result.
 */
async function deriveWrapKey(
  crypto: CryptoPrimitives,
  shared: Uint8Array,
  ephemeralKey: Uint8Array,
  { agreementKey }: IdentityCard,
) {
  const salt = joinBytes(ephemeralKey, agreementKey);
  const length = SIZES.key + SIZES.nonce;
  const bytes = await crypto.hkdfSha256(shared, salt, label("wrap"), length);
  return { key: bytes.slice(0, SIZES.key), nonce: bytes.slice(SIZES.key) };
}
