import { dirname } from "node:path";
import { errorKind } from "../../app/contract/coded-error.ts";
import { ownFileError, replaceOwnFile, syncFolder } from "../../runtime/files/own-file.ts";

/** What may be wrong with the host key or the person's identity, each with its message. */
const KEY_ERRORS = {
  host_key_missing:
    "The key file host.key is gone, and what it protects is still there. Put it back; nothing was changed.",
  host_key_damaged: "The key file host.key is damaged. Put a copy back; nothing was changed.",
  host_key_unreadable: "The key file host.key cannot be read or written.",
  host_key_wrong:
    "The key in host.key is not the one this data folder was made with. Nothing was changed.",
  host_key_elsewhere:
    "The key of this data folder is kept by the desktop's own key store. Start the desktop host.",
  host_key_locked: "The desktop's key store does not give the key out. Unlock it and start again.",
  passphrase_needed:
    "The key of this data folder is under a passphrase. Start in a terminal, or name a file with --passphrase-file.",
  passphrase_unusable:
    "The file named by --passphrase-file cannot be read, or holds no passphrase.",
  passphrase_wrong: "The passphrase is not the one of this data folder.",
  identity_missing: "The key file identity.key is gone. Put it back; nothing was changed.",
  identity_damaged:
    "The key file identity.key is damaged or belongs to another key. Nothing was changed.",
  identity_other:
    "The key file identity.key is not the one this data folder was used with. Nothing was changed.",
  key_records_damaged: "What consentry.db keeps of sessions and other ends' keys is damaged.",
} as const;
export type KeyErrorCode = keyof typeof KEY_ERRORS;

/** Which key each of these errors loses, unless the missing file is found. */
const KEY_LOSSES = {
  host_key_missing: "host_key",
  host_key_damaged: "host_key",
  host_key_wrong: "host_key",
  host_key_elsewhere: "host_key",
  host_key_locked: "host_key",
  passphrase_wrong: "host_key",
  identity_missing: "identity",
  identity_damaged: "identity",
  identity_other: "identity",
  key_records_damaged: "records",
} as const satisfies Partial<Record<KeyErrorCode, string>>;
export type KeyLoss = (typeof KEY_LOSSES)[keyof typeof KEY_LOSSES];

const WAY_OUT = "If it is lost for good, start once with --new-keys.";

/** The error of everything about keys: a code and its message, and nothing of any key. */
export const keyError = errorKind<KeyErrorCode>("KeyError", (code) =>
  isLoss(code) ? `${KEY_ERRORS[code]} ${WAY_OUT}` : KEY_ERRORS[code],
);

const isLoss = (code: KeyErrorCode): code is keyof typeof KEY_LOSSES => code in KEY_LOSSES;

/** Null for an error that new keys would not solve. */
export const lossIn = (error: unknown): KeyLoss | null =>
  keyError.is(error) && isLoss(error.code) ? KEY_LOSSES[error.code] : null;

/**
 * Writes a complete key file (0600) or nothing: after a crash there is either the old or the new one.
 * Throws what the file system throws.
 */
export async function writeKeyFile(path: string, bytes: Uint8Array): Promise<void> {
  replaceOwnFile(path, bytes, true);
  await syncFolder(dirname(path));
}

/**
 * @param damaged the error for a file longer than any key file
 * @throws OwnFileError if it is no file of ours; KeyError `host_key_unreadable` for everything else
 */
export async function keyFileWork<T>(
  damaged: "host_key_damaged" | "identity_damaged",
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!ownFileError.is(error)) throw keyError("host_key_unreadable", { cause: error });
    throw error.code === "own_file_too_large" ? keyError(damaged, { cause: error }) : error;
  }
}
