import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from "node:crypto";
import { changesOf, type KeyChanges } from "../../app/encryption/correspondence/key-changes.ts";
import type { KeyRecords } from "../../app/encryption/correspondence/ports.ts";
import { SIZES } from "../../app/encryption/crypto-primitives.ts";
import { refuse } from "../../app/encryption/encryption-error.ts";
import { randomBytes } from "../../crypto/random-bytes.ts";
import type { KeyRecordStore } from "../storage/index.ts";
import type { HostKey } from "./host-key.ts";

const FORM_VERSION = 1;
const HEAD = 1 + SIZES.nonce;

/**
 * Records in the database, each encrypted under the host key and bound to its name:
 * `u8 1 ‖ [12] nonce ‖ GCM(key for "key state", nonce, bytes, u8 1 ‖ UTF-8 name)`.
 */
export function sealedRecords(store: KeyRecordStore, hostKey: HostKey): KeyRecords {
  // As a key object: with raw bytes Node takes several times as long.
  const key = createSecretKey(hostKey.keyFor("key state"));
  let failed = false;
  const save = async (changes: KeyChanges, isAwaited: boolean): Promise<void> => {
    if (failed) refuse("storage_failed");
    const sealed = [...changes].map(
      ([name, encode]) => [name, encode && (() => sealRecord(key, name, encode()))] as const,
    );
    try {
      await store.save(new Map(sealed), isAwaited);
    } catch (error) {
      // A later batch may depend on this one.
      failed = true;
      throw error;
    }
  };
  return {
    /**
     * @throws EncryptionError `corrupt_state` for a record that is not what was stored under its
     * name
     */
    async load() {
      const records = [...store.all()];
      failed = false;
      return new Map(records.map(([name, sealed]) => [name, openRecord(key, name, sealed)]));
    },
    save: (batch) => save(changesOf(batch), true),
    saveSoon: (changes) => save(changes, false),
  };
}

const associated = (name: string): Buffer =>
  Buffer.concat([Buffer.of(FORM_VERSION), Buffer.from(name)]);

export function sealRecord(key: KeyObject, name: string, bytes: Uint8Array): Uint8Array {
  const nonce = randomBytes(SIZES.nonce);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(associated(name));
  const body = [cipher.update(bytes), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([Buffer.of(FORM_VERSION), nonce, ...body]);
}

/** @throws EncryptionError `corrupt_state` */
export function openRecord(key: KeyObject, name: string, sealed: Uint8Array): Uint8Array {
  const end = sealed.length - SIZES.tag;
  if (end < HEAD || sealed[0] !== FORM_VERSION) refuse("corrupt_state");
  const options = { authTagLength: SIZES.tag };
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, HEAD), options);
  decipher.setAAD(associated(name));
  decipher.setAuthTag(sealed.subarray(end));
  const bytes = decipher.update(sealed.subarray(HEAD, end));
  try {
    return new Uint8Array(Buffer.concat([bytes, decipher.final()]));
  } catch {
    return refuse("corrupt_state");
  }
}
