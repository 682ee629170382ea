import { errorKind } from "../contract/coded-error.ts";
/** The complete list of refusal codes of end-to-end encryption (docs/encryption.md, "Refusals"). */
export const ENCRYPTION_ERRORS = [
  /** Truncated, too long, or not in canonical form. */
  "malformed",
  /** A version that this program does not know. */
  "unsupported_version",
  /** Weaker than the relation requires: another suite, or no encryption. */
  "downgraded",
  /** Sent by an identity other than the expected one. */
  "wrong_sender",
  "wrong_conversation",
  /** We are not among the recipients. */
  "wrong_recipient",
  /** Its kind differs from the one the hub states. */
  "wrong_kind",
  /** Not the expected key's signature over these bytes. */
  "bad_signature",
  /** A public key for which every private key gives the same result (RFC 7748 §6.1). */
  "bad_public_key",
  /** Cannot be decrypted: wrong key, wrong context, or altered. */
  "unopenable",
  /** This sequence number was accepted before. */
  "replayed",
  /** It arrived after an envelope that was sent later. */
  "reordered",
  /** An identity's two keys and its owner do not belong together. */
  "bad_identity",
  /** A prekey not signed by its identity. */
  "bad_prekey",
  /** A signed prekey older than `PREKEY_RULES.refuseAfterMs`. */
  "stale_prekey",
  /** The first message names a prekey that was deleted or never existed. */
  "unknown_prekey",
  /** A session that we do not have, or no longer have. */
  "no_session",
  /** More messages were skipped than may be remembered. */
  "too_many_skipped",
  /** Stored state was altered or damaged. It is never treated as empty. */
  "corrupt_state",
  /** A ledger entry that does not follow from the one before. */
  "ledger_broken",
  /** The ledger ends before what we have already seen of it, or differs from it. */
  "ledger_rolled_back",
  "wrong_password",
  /** The host key does not open it. */
  "wrong_host_key",
  /** We have no keys of the other end, and neither has the hub. */
  "keys_missing",
  /** The other end has a different key, which the person has not accepted. */
  "key_changed",
  /** The keys used up could not be stored. */
  "storage_failed",
] as const;
export type EncryptionErrorCode = (typeof ENCRYPTION_ERRORS)[number];

/** The only error that encryption throws. It carries a code and none of the data read. */
export const encryptionError = errorKind<EncryptionErrorCode>("EncryptionError");

export function refuse(code: EncryptionErrorCode): never {
  throw encryptionError(code);
}
