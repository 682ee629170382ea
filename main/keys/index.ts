export { passphraseSource, type Terminal } from "./ask-passphrase.ts";
export { checkOf, HOST_KEY_USES, type HostKey, type HostKeyUse, hostKeyFrom } from "./host-key.ts";
export {
  BackupError,
  type BackupErrorCode,
  type BackupTools,
  readBackup,
  writeBackup,
} from "./identity-backup.ts";
export { KeyError, type KeyErrorCode } from "./key-error.ts";
export {
  type KeyVault,
  type OpenedHostKey,
  openHostKey,
  type PassphraseSource,
} from "./open-host-key.ts";
export { passwordThread } from "./password-thread.ts";
export {
  type IdentityPlace,
  keepIdentity,
  keyIdText,
  type OpenedIdentity,
  openIdentity,
} from "./person-identity.ts";
export { sealedRecords } from "./sealed-records.ts";
