import { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { label } from "../labels.ts";
import { isWeakSigningKey } from "./weak-signing-key.ts";

const CARD_VERSION = 1;

/** The public half of an identity. Its signature ties both keys to each other and to their owner. */
export interface IdentityCard {
  /** An agent's id or a person's. */
  readonly ownerId: string;
  /** Ed25519 */
  readonly signingKey: Uint8Array;
  /** X25519 */
  readonly agreementKey: Uint8Array;
  /** SHA-256 over owner and both keys: which identity an envelope means. Derived, never sent. */
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

type CardFields = Pick<IdentityCard, "ownerId" | "signingKey" | "agreementKey">;

/** What is hashed and signed: owner, signing key, agreement key. */
const fieldBytes = (card: CardFields): Uint8Array =>
  new ByteWriter()
    .u8(CARD_VERSION)
    .text(card.ownerId)
    .fixed(card.signingKey, SIZES.key)
    .fixed(card.agreementKey, SIZES.key)
    .done();

export const keyIdOf = async (crypto: CryptoPrimitives, card: CardFields): Promise<Uint8Array> =>
  crypto.sha256(joinBytes(label("identity"), fieldBytes(card)));

export const cardStatement = (card: CardFields): Uint8Array =>
  joinBytes(label("identityCard"), fieldBytes(card));

export const encodeCard = (card: IdentityCard): Uint8Array =>
  joinBytes(fieldBytes(card), card.signature);

/**
 * @throws EncryptionError `malformed`, `unsupported_version`; `bad_identity` when keys or owner
 * were exchanged, or the signing key is one that anybody signs for
 */
export async function readCard(crypto: CryptoPrimitives, bytes: Uint8Array): Promise<IdentityCard> {
  const reader = new ByteReader(bytes);
  if (reader.u8() !== CARD_VERSION) refuse("unsupported_version");
  const fields: CardFields = {
    ownerId: reader.text(),
    signingKey: reader.fixed(SIZES.key),
    agreementKey: reader.fixed(SIZES.key),
  };
  const signature = reader.fixed(SIZES.signature);
  reader.end();
  if (isWeakSigningKey(fields.signingKey)) refuse("bad_identity");
  const holds = await crypto.ed25519Verify(fields.signingKey, cardStatement(fields), signature);
  if (!holds) refuse("bad_identity");
  return { ...fields, signature, keyId: await keyIdOf(crypto, fields) };
}
