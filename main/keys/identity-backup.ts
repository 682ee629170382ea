import type { CryptoPrimitives } from "../../app/encryption/crypto-primitives.ts";
import { EncryptionError } from "../../app/encryption/encryption-error.ts";
import type { Identity } from "../../app/encryption/identity/identity.ts";
import { readIdentityFile, writeIdentityFile } from "../../app/encryption/keyfile/identity-file.ts";
import type { DerivePasswordKey } from "../../app/encryption/keyfile/password-key.ts";

const BACKUP_ERRORS = ["backup_damaged", "wrong_password", "backup_of_another"] as const;
export type BackupErrorCode = (typeof BACKUP_ERRORS)[number];

export class BackupError extends Error {
  override readonly name = "BackupError";
  readonly code: BackupErrorCode;
  constructor(code: BackupErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

export interface BackupTools {
  readonly crypto: CryptoPrimitives;
  readonly deriveKey: DerivePasswordKey;
}

/** The identity, encrypted with its own password: everything needed to be this person again. */
export const writeBackup = (
  { crypto, deriveKey }: BackupTools,
  identity: Identity,
  password: string,
): Promise<Uint8Array> =>
  writeIdentityFile(crypto, "backup", { kind: "password", password, deriveKey }, identity);

/**
 * @param ownerId the owner it must belong to
 * @throws BackupError
 */
export async function readBackup(
  { crypto, deriveKey }: BackupTools,
  bytes: Uint8Array,
  password: string,
  ownerId: string,
): Promise<Identity> {
  const protection = { kind: "password", password, deriveKey } as const;
  const identity = await readIdentityFile(crypto, "backup", protection, bytes).catch(
    (error: unknown) => {
      if (!(error instanceof EncryptionError)) throw error;
      const wrong = error.code === "wrong_password";
      throw new BackupError(wrong ? "wrong_password" : "backup_damaged", { cause: error });
    },
  );
  if (identity.card.ownerId !== ownerId) throw new BackupError("backup_of_another");
  return identity;
}
