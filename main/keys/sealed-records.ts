import { utf8 } from "../../app/encryption/bytes/text-bytes.ts";
import { changesOf, type KeyChanges } from "../../app/encryption/correspondence/key-changes.ts";
import type { KeyRecords } from "../../app/encryption/correspondence/ports.ts";
import { refuse } from "../../app/encryption/encryption-error.ts";
import { openBytes, sealBytes } from "../../runtime/crypto/sealed-bytes.ts";
import type { KeyRecordStore } from "../storage/index.ts";
import type { HostKey } from "./host-key.ts";

/** Records in the database, each sealed under the host key and bound to its name. */
export function sealedRecords(store: KeyRecordStore, hostKey: HostKey): KeyRecords {
  const key = hostKey.keyFor("key state");
  let failed = false;
  const save = async (changes: KeyChanges, isAwaited: boolean): Promise<void> => {
    if (failed) refuse("storage_failed");
    const sealed = [...changes].map(
      ([name, encode]) => [name, encode && (() => sealBytes(key, encode(), utf8(name)))] as const,
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
      return new Map(
        records.map(([name, sealed]) => [
          name,
          openBytes(key, sealed, utf8(name)) ?? refuse("corrupt_state"),
        ]),
      );
    },
    save: (batch) => save(changesOf(batch), true),
    saveSoon: (changes) => save(changes, false),
  };
}
