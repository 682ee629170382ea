import { joinBytes } from "../bytes/join-bytes.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import type { Identity } from "../identity/identity.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import { label } from "../labels.ts";

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
