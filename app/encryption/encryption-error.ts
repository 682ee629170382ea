/** The one table of what end-to-end encryption refuses with (docs/encryption.md, "Refusals"). */
export const ENCRYPTION_ERRORS = [
  /** The bytes are no such thing: truncated, too long, or not in canonical form. */
  "malformed",
  /** A version that this program does not know. */
  "unsupported_version",
  /** Weaker than the relation demands: another suite, or no encryption at all. */
  "downgraded",
  /** Sent by another identity than the one expected. */
  "wrong_sender",
  "wrong_conversation",
  /** We are not among those it was sent to. */
  "wrong_recipient",
  /** An answer to another call than the one that waits. */
  "wrong_call",
  /** Of another kind than the hub gives it out for. */
  "wrong_kind",
  /** The signature is not that of the expected key over these bytes. */
  "bad_signature",
  /** A key agreement that every private key would lead to the same result with (RFC 7748 §6.1). */
  "bad_public_key",
  /** What was encrypted does not open: other key, other context, or changed. */
  "unopenable",
  /** This sequence number was accepted before. */
  "replayed",
  /** It arrives after one that was sent later. */
  "reordered",
  /** An identity's two keys or its owner do not belong together. */
  "bad_identity",
  /** A prekey that its identity did not sign. */
  "bad_prekey",
  /** A signed prekey older than `PREKEY_RULES.refuseAfterMs`. */
  "stale_prekey",
  /** A first message names a prekey that is gone or never was. */
  "unknown_prekey",
  /** A session that we do not have, or no longer. */
  "no_session",
  /** More messages were skipped than may be remembered. */
  "too_many_skipped",
  /** Stored state that is not what was stored. Never read as empty. */
  "corrupt_state",
  /** A ledger's entry that does not follow from the one before. */
  "ledger_broken",
  /** The ledger ends before, or differs from, what was seen of it. */
  "ledger_rolled_back",
  "wrong_password",
  /** The host's key does not open it. */
  "wrong_host_key",
  /** No keys of the other end are known, and the hub has none. */
  "keys_missing",
  /** The other end has another key, which the person has not accepted. */
  "key_changed",
  /** What was used up could not be kept. */
  "storage_failed",
] as const;
export type EncryptionErrorCode = (typeof ENCRYPTION_ERRORS)[number];

/** Encryption's one error. It carries a code and nothing of what was read. */
export class EncryptionError extends Error {
  override readonly name = "EncryptionError";
  readonly code: EncryptionErrorCode;
  constructor(code: EncryptionErrorCode) {
    super(code);
    this.code = code;
  }
}

export function refuse(code: EncryptionErrorCode): never {
  throw new EncryptionError(code);
}
