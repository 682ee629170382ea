export { passphraseSource, type Terminal } from "./ask-passphrase.ts";
export { checkOf, type HostKey, hostKeyFrom } from "./host-key.ts";
export {
  BackupError,
  type BackupTools,
  readBackup,
  writeBackup,
} from "./identity-backup.ts";
export { KeyError, type KeyLoss, lossIn } from "./key-error.ts";
export {
  HOST_KEY_FILE,
  type KeyVault,
  openHostKey,
} from "./open-host-key.ts";
export { type PasswordTools, passwordThread } from "./password-thread.ts";
export {
  IDENTITY_FILE,
  keepIdentity,
  keyIdText,
  openIdentity,
  setKeyFileAside,
} from "./person-identity.ts";
export { sealedRecords } from "./sealed-records.ts";
export { type SecretSealing, secretSealing } from "./secret-sealing.ts";
