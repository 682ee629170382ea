import { ByteReader, ByteWriter, joinBytes, toHex } from "../bytes.ts";
import { type CryptoPrimitives, type KeyPair, label, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";

/**
 * The y-coordinates of Ed25519's small-order points, in every encoding that decoders are known to
 * accept: 0, 1, the four of order 8, p - 1, p and p + 1; little-endian, without the sign bit.
 */
const SMALL_ORDER = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

/**
 * Whether anybody can make valid signatures for this key. Its owner could deny every envelope, and
 * the hub could forge them. Libraries differ in whether they refuse such keys, so it is done here.
 */
export function isWeakSigningKey(publicKey: Uint8Array): boolean {
  const last = publicKey.length - 1;
  const unsigned = publicKey.with(last, (publicKey[last] ?? 0) & 0x7f);
  return SMALL_ORDER.includes(toHex(unsigned));
}

/**
 * Which layers an envelope has: `sealed` L1 to L3, for webhook agents and groups; `ratchet` L1 to
 * L5.
 */
export const SUITES = { sealed: 1, ratchet: 2 } as const;
export type Suite = keyof typeof SUITES;

export const suiteOf = (byte: number): Suite | null => {
  if (byte === SUITES.sealed) return "sealed";
  return byte === SUITES.ratchet ? "ratchet" : null;
};

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

const keyIdOf = (crypto: CryptoPrimitives, card: CardFields): Uint8Array =>
  crypto.sha256(joinBytes(label("identity"), fieldBytes(card)));

const cardStatement = (card: CardFields): Uint8Array =>
  joinBytes(label("identityCard"), fieldBytes(card));

export const encodeCard = (card: IdentityCard): Uint8Array =>
  joinBytes(fieldBytes(card), card.signature);

/** Its signature is not checked. @throws EncryptionError `malformed`, `unsupported_version` */
function parseCard(bytes: Uint8Array): Omit<IdentityCard, "keyId"> {
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
 * @throws EncryptionError as `parseCard`; `bad_identity` if keys or owner were swapped, or one of the
 * keys protects nothing
 */
export function readCard(crypto: CryptoPrimitives, bytes: Uint8Array): IdentityCard {
  const { signature, ...fields } = parseCard(bytes);
  if (isWeakSigningKey(fields.signingKey)) refuse("bad_identity");
  if (isWeakAgreementKey(crypto, fields.agreementKey)) refuse("bad_identity");
  const holds = crypto.ed25519Verify(fields.signingKey, cardStatement(fields), signature);
  if (!holds) refuse("bad_identity");
  return { ...fields, signature, keyId: keyIdOf(crypto, fields) };
}

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

/** Any private key shows it: multiples of eight, they take a key of small order to zero. */
const PROBE = new Uint8Array(SIZES.key).fill(1);

/** Whether anybody can compute what is agreed on with this key (RFC 7748 §6.1). */
const isWeakAgreementKey = (crypto: CryptoPrimitives, publicKey: Uint8Array): boolean =>
  crypto.x25519(PROBE, publicKey) === null;

/** The X25519 shared secret. @throws EncryptionError `bad_public_key` */
export function agree(
  crypto: CryptoPrimitives,
  privateKey: Uint8Array,
  publicKey: Uint8Array,
): Uint8Array {
  return crypto.x25519(privateKey, publicKey) ?? refuse("bad_public_key");
}
