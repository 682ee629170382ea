import { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { equalBytes } from "../bytes/compare-bytes.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { label } from "../labels.ts";

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
