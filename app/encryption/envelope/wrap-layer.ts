import { joinBytes } from "../bytes/join-bytes.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { agree, type Identity } from "../identity/identity.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import { label } from "../labels.ts";

/**
 * L2 under `sealed`: a new X25519 pair for this recipient and message; its public key, followed by
 * the AES-256-GCM ciphertext.
 */
export function wrapSecret(
  crypto: CryptoPrimitives,
  recipient: IdentityCard,
  secret: Uint8Array,
  context: Uint8Array,
): Uint8Array {
  const { privateKey, publicKey } = crypto.x25519Pair();
  const shared = agree(crypto, privateKey, recipient.agreementKey);
  const { key, nonce } = deriveWrapKey(crypto, shared, publicKey, recipient);
  return joinBytes(publicKey, crypto.aesGcmEncrypt(key, nonce, secret, context));
}

/** @throws EncryptionError `unopenable`, `bad_public_key` */
export function unwrapSecret(
  crypto: CryptoPrimitives,
  { agreement, card }: Identity,
  wrapped: Uint8Array,
  context: Uint8Array,
): Uint8Array {
  if (wrapped.length < SIZES.key + SIZES.tag) refuse("unopenable");
  const publicKey = wrapped.slice(0, SIZES.key);
  const shared = agree(crypto, agreement.privateKey, publicKey);
  const { key, nonce } = deriveWrapKey(crypto, shared, publicKey, card);
  const secret = crypto.aesGcmDecrypt(key, nonce, wrapped.subarray(SIZES.key), context);
  return secret ?? refuse("unopenable");
}

/**
 * Both public keys are included (RFC 7748 §6.1), because several of them lead to the same result.
 */
function deriveWrapKey(
  crypto: CryptoPrimitives,
  shared: Uint8Array,
  ephemeralKey: Uint8Array,
  { agreementKey }: IdentityCard,
) {
  const salt = joinBytes(ephemeralKey, agreementKey);
  const length = SIZES.key + SIZES.nonce;
  const bytes = crypto.hkdfSha256(shared, salt, label("wrap"), length);
  return { key: bytes.slice(0, SIZES.key), nonce: bytes.slice(SIZES.key) };
}
