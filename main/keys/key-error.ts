/** What may be wrong with the host key or the person's identity, each with its sentence. */
export const KEY_ERRORS = {
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
  identity_missing:
    "The key file identity.key is gone. Put it back, or restore a backup; nothing was changed.",
  identity_damaged:
    "The key file identity.key is damaged or belongs to another key. Nothing was changed.",
  identity_other:
    "The key file identity.key is not the one this data folder was used with. Nothing was changed.",
} as const;
export type KeyErrorCode = keyof typeof KEY_ERRORS;

/** The key room's one error; it carries a code, its sentence and nothing of any key. */
export class KeyError extends Error {
  override readonly name = "KeyError";
  readonly code: KeyErrorCode;
  constructor(code: KeyErrorCode, options?: ErrorOptions) {
    super(KEY_ERRORS[code], options);
    this.code = code;
  }
}
