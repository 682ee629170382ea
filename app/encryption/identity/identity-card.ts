import { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { SUITES, type Suite, suiteOf } from "../envelope/suites.ts";
import { label } from "../labels.ts";
import { isWeakSigningKey } from "./weak-signing-key.ts";

/**
 * A card that names a level is an agent's; a person encrypts to each agent at that agent's level.
 */
const CARD_FORMS = { plain: 1, withLevel: 2 } as const;

/**
 * The public half of an identity. Its signature binds both keys to each other and to their owner.
 */
export interface IdentityCard {
  /** The id of an agent or a person. */
  readonly ownerId: string;
  /** Ed25519 */
  readonly signingKey: Uint8Array;
  /** X25519 */
  readonly agreementKey: Uint8Array;
  /** How to encrypt for an agent; the hub cannot change it. Null in a person's card. */
  readonly level: Suite | null;
  /**
   * SHA-256 over owner, keys and level; identifies the identity in envelopes. Computed, never sent.
   */
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

type CardFields = Pick<IdentityCard, "ownerId" | "signingKey" | "agreementKey" | "level">;

/** The bytes that are hashed and signed. */
function fieldBytes({ ownerId, signingKey, agreementKey, level }: CardFields): Uint8Array {
  const writer = new ByteWriter()
    .u8(level === null ? CARD_FORMS.plain : CARD_FORMS.withLevel)
    .text(ownerId)
    .fixed(signingKey, SIZES.key)
    .fixed(agreementKey, SIZES.key);
  if (level !== null) writer.u8(SUITES[level]);
  return writer.done();
}

export const keyIdOf = (crypto: CryptoPrimitives, card: CardFields): Uint8Array =>
  crypto.sha256(joinBytes(label("identity"), fieldBytes(card)));

export const cardStatement = (card: CardFields): Uint8Array =>
  joinBytes(label("identityCard"), fieldBytes(card));

export const encodeCard = (card: IdentityCard): Uint8Array =>
  joinBytes(fieldBytes(card), card.signature);

/** Its signature is not checked. @throws EncryptionError `malformed`, `unsupported_version` */
export function parseCard(bytes: Uint8Array): Omit<IdentityCard, "keyId"> {
  const reader = new ByteReader(bytes);
  const form = reader.u8();
  if (form !== CARD_FORMS.plain && form !== CARD_FORMS.withLevel) refuse("unsupported_version");
  const card = {
    ownerId: reader.text(),
    signingKey: reader.fixed(SIZES.key),
    agreementKey: reader.fixed(SIZES.key),
    level: form === CARD_FORMS.plain ? null : (suiteOf(reader.u8()) ?? reader.refuse()),
    signature: reader.fixed(SIZES.signature),
  };
  reader.end();
  return card;
}

/**
 * @throws EncryptionError as `parseCard`; `bad_identity` if keys or owner were swapped, or anybody can
 * make signatures for the signing key
 */
export function readCard(crypto: CryptoPrimitives, bytes: Uint8Array): IdentityCard {
  const { signature, ...fields } = parseCard(bytes);
  if (isWeakSigningKey(fields.signingKey)) refuse("bad_identity");
  const holds = crypto.ed25519Verify(fields.signingKey, cardStatement(fields), signature);
  if (!holds) refuse("bad_identity");
  return { ...fields, signature, keyId: keyIdOf(crypto, fields) };
}
