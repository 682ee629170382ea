import { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import { type Identity, identityFrom } from "../identity/identity.ts";
import { openAtRest, type Protection, sealAtRest } from "./sealed-at-rest.ts";

/** `identity` stays on this machine, `backup` leaves it. */
export type IdentityFilePurpose = "identity" | "backup";

export function writeIdentityFile(
  crypto: CryptoPrimitives,
  purpose: IdentityFilePurpose,
  protection: Protection,
  { card, signing, agreement }: Identity,
): Promise<Uint8Array> {
  const secret = new ByteWriter()
    .text(card.ownerId)
    .fixed(signing.privateKey, SIZES.key)
    .fixed(agreement.privateKey, SIZES.key)
    .done();
  return sealAtRest(crypto, purpose, protection, secret);
}

/** @throws EncryptionError as `openAtRest` does */
export async function readIdentityFile(
  crypto: CryptoPrimitives,
  purpose: IdentityFilePurpose,
  protection: Protection,
  stored: Uint8Array,
): Promise<Identity> {
  const secret = await openAtRest(crypto, purpose, protection, stored);
  const reader = new ByteReader(secret, "corrupt_state");
  const ownerId = reader.text();
  const signingPrivate = reader.fixed(SIZES.key);
  const agreementPrivate = reader.fixed(SIZES.key);
  reader.end();
  return identityFrom(crypto, { ownerId, signingPrivate, agreementPrivate });
}
