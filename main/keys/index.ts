export { checkOf, type HostKey, hostKeyFrom } from "./host-key.ts";
export { type KeyLoss, keyError, lossIn } from "./key-error.ts";
export {
  HOST_KEY_FILE,
  type KeyVault,
  openHostKey,
  passphraseSource,
  type Terminal,
} from "./open-host-key.ts";
export { type PasswordTools, passwordThread } from "./password-thread.ts";
export {
  type BackupTools,
  backupError,
  IDENTITY_FILE,
  keepIdentity,
  keyIdText,
  openIdentity,
  readBackup,
  setKeyFileAside,
  writeBackup,
} from "./person-identity.ts";
export { type SecretSealing, sealedRecords, secretSealing } from "./sealed-records.ts";
