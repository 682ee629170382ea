import { ByteReader, ByteWriter, equalBytes, joinBytes } from "../bytes.ts";
import { type CryptoPrimitives, label, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { agree, type Identity, type IdentityCard } from "../identity/identity.ts";

/** What L2 carries to each recipient: the content's key, and the call the message belongs to. */
export interface MessageSecret {
  /** CEK: 32 random bytes, used for this message only */
  readonly key: Uint8Array;
  /** The message's kind. The hub states it in the clear, and must state the same. */
  readonly kind: string;
  /** Not in the header: agents choose it, and the hub does not need it. */
  readonly callId: string | null;
}

function encodeAbout({ kind, callId }: MessageSecret): Uint8Array {
  const writer = new ByteWriter().text(kind);
  return writer.optional(callId, (id) => writer.text(id)).done();
}

export const encodeSecret = (secret: MessageSecret): Uint8Array =>
  joinBytes(secret.key, encodeAbout(secret));

export function readSecret(bytes: Uint8Array): MessageSecret {
  const reader = new ByteReader(bytes);
  const key = reader.fixed(SIZES.key);
  const kind = reader.text();
  const callId = reader.optional(() => reader.text());
  reader.end();
  return { key, kind, callId };
}

/**
 * L1. A commitment to the key comes first: with AES-GCM alone, one ciphertext can be made to open
 * under two keys, so a sender could show two recipients different contents.
 */
export function encryptContent(
  crypto: CryptoPrimitives,
  secret: MessageSecret,
  prefix: Uint8Array,
  content: Uint8Array,
): Uint8Array {
  const { key, nonce, commitment } = deriveContentKey(crypto, secret);
  const associated = joinBytes(prefix, encodeAbout(secret));
  return joinBytes(commitment, crypto.aesGcmEncrypt(key, nonce, content, associated));
}

/** @throws EncryptionError `unopenable` */
export function decryptContent(
  crypto: CryptoPrimitives,
  secret: MessageSecret,
  prefix: Uint8Array,
  bytes: Uint8Array,
): Uint8Array {
  const { key, nonce, commitment } = deriveContentKey(crypto, secret);
  if (!equalBytes(bytes.subarray(0, SIZES.hash), commitment)) refuse("unopenable");
  const associated = joinBytes(prefix, encodeAbout(secret));
  const ciphertext = bytes.subarray(SIZES.hash);
  const content = crypto.aesGcmDecrypt(key, nonce, ciphertext, associated);
  return content ?? refuse("unopenable");
}

/** The key is used once, so the nonce may be derived from it too. */
function deriveContentKey(crypto: CryptoPrimitives, { key }: MessageSecret) {
  const length = SIZES.key + SIZES.nonce + SIZES.hash;
  const bytes = crypto.hkdfSha256(key, new Uint8Array(0), label("content"), length);
  return {
    key: bytes.slice(0, SIZES.key),
    nonce: bytes.slice(SIZES.key, SIZES.key + SIZES.nonce),
    commitment: bytes.slice(SIZES.key + SIZES.nonce),
  };
}

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

const statement = (signed: Uint8Array): Uint8Array => joinBytes(label("envelope"), signed);

/** L3: signs every byte of the envelope before the signature. */
export const signEnvelope = (
  crypto: CryptoPrimitives,
  { signing }: Identity,
  signed: Uint8Array,
): Uint8Array => crypto.ed25519Sign(signing.privateKey, statement(signed));

/** @throws EncryptionError `bad_signature` */
export function requireSignature(
  crypto: CryptoPrimitives,
  sender: IdentityCard,
  signed: Uint8Array,
  signature: Uint8Array,
): void {
  const holds = crypto.ed25519Verify(sender.signingKey, statement(signed), signature);
  if (!holds) refuse("bad_signature");
}
