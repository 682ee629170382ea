export { passphraseSource, type Terminal } from "./ask-passphrase.ts";
export { checkOf, HOST_KEY_USES, type HostKey, type HostKeyUse, hostKeyFrom } from "./host-key.ts";
export {
  BackupError,
  type BackupErrorCode,
  type BackupTools,
  readBackup,
  writeBackup,
} from "./identity-backup.ts";
export { KeyError, type KeyErrorCode, type KeyLoss, lossIn } from "./key-error.ts";
export {
  HOST_KEY_FILE,
  type KeyVault,
  type OpenedHostKey,
  openHostKey,
  type PassphraseSource,
} from "./open-host-key.ts";
export { type PasswordTools, passwordThread } from "./password-thread.ts";
export {
  IDENTITY_FILE,
  type IdentityPlace,
  keepIdentity,
  keyIdText,
  type OpenedIdentity,
  openIdentity,
  setKeyFileAside,
} from "./person-identity.ts";
export { sealedRecords } from "./sealed-records.ts";
