export { checkOf, type HostKey, hostKeyFrom } from "./host-key.ts";
export { KeyError, type KeyLoss, lossIn } from "./key-error.ts";
export {
  HOST_KEY_FILE,
  type KeyVault,
  openHostKey,
  passphraseSource,
  type Terminal,
} from "./open-host-key.ts";
export { type PasswordTools, passwordThread } from "./password-thread.ts";
export {
  BackupError,
  type BackupTools,
  IDENTITY_FILE,
  keepIdentity,
  keyIdText,
  openIdentity,
  readBackup,
  setKeyFileAside,
  writeBackup,
} from "./person-identity.ts";
export { type SecretSealing, sealedRecords, secretSealing } from "./sealed-records.ts";
