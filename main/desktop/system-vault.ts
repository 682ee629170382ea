import { safeStorage } from "electron";
import type { KeyVault } from "../keys/index.ts";

/**
 * The system's key store, through Electron. On a Linux without one, Electron would encrypt with a
 * publicly known password, which counts as having none.
 */
export const systemVault: KeyVault = {
  async available() {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return false;
    return process.platform !== "linux" || safeStorage.getSelectedStorageBackend() !== "basic_text";
  },
  async wrap(key) {
    const text = Buffer.from(key).toString("base64");
    return new Uint8Array(await safeStorage.encryptStringAsync(text));
  },
  async unwrap(wrapped) {
    try {
      const opened = await safeStorage.decryptStringAsync(Buffer.from(wrapped));
      const key = new Uint8Array(Buffer.from(opened.result, "base64"));
      return { key, stale: opened.shouldReEncrypt };
    } catch {
      return null;
    }
  },
};
