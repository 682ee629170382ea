export { passphraseSource, type Terminal } from "./ask-passphrase.ts";
export { checkOf, HOST_KEY_USES, type HostKey, type HostKeyUse, hostKeyFrom } from "./host-key.ts";
export { KeyError, type KeyErrorCode } from "./key-error.ts";
export {
  type KeyVault,
  type OpenedHostKey,
  openHostKey,
  type PassphraseSource,
} from "./open-host-key.ts";
export { passwordThread } from "./password-thread.ts";
