import { utf8 } from "../../app/encryption/bytes.ts";
import type { CryptoPrimitives } from "../../app/encryption/crypto-primitives.ts";
import { changesOf, type KeyChanges, type KeyRecords } from "../../app/encryption/e2ee/ports.ts";
import { decodePeer, encodePeer } from "../../app/encryption/e2ee/records.ts";
import { restartedAt } from "../../app/encryption/e2ee/session-store.ts";
import { refuse } from "../../app/encryption/encryption-error.ts";
import { NO_LEDGER } from "../../app/encryption/ledger/ledger.ts";
import { openBytes, sealBytes } from "../../runtime/crypto/sealed-bytes.ts";
import type { KeyRecordStore } from "../storage/index.ts";
import type { HostKey } from "./host-key.ts";
import type { KeyVault } from "./open-host-key.ts";

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

/** Keeps a secret that the person typed, such as a provider's key. */
export interface SecretSealing {
  /** What may be stored. */
  seal(secret: string): Promise<string>;
  /** Null when it cannot be opened here: with another vault, another host key, or damaged. */
  open(sealed: string): Promise<string | null>;
}

const CONTEXT = Buffer.from("secret");

/** In the system's vault where there is one, else under the host key. The form is named in front. */
export function secretSealing(hostKey: HostKey, vault: KeyVault | null): SecretSealing {
  const key = hostKey.keyFor("secrets");
  return {
    async seal(secret) {
      const bytes = Buffer.from(secret);
      if (vault !== null && (await vault.available()))
        return coded("system", await vault.wrap(bytes));
      return coded("host_key", sealBytes(key, bytes, CONTEXT));
    },
    async open(sealed) {
      const [form, body = ""] = sealed.split(":");
      const bytes = Buffer.from(body, "base64");
      if (form === "host_key") return textOf(openBytes(key, bytes, CONTEXT));
      if (form !== "system" || vault === null || !(await vault.available())) return null;
      return textOf((await vault.unwrap(bytes))?.key ?? null);
    },
  };
}

const coded = (form: "system" | "host_key", bytes: Uint8Array): string =>
  `${form}:${Buffer.from(bytes).toString("base64")}`;

const textOf = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString("utf8");

const PEER = "peer ";

/**
 * For a new identity of the person: the old one's sessions, sequence windows and prekeys are
 * deleted. Other owners' keys stay known, but not as compared, because the safety number is a
 * different one.
 * @param lostAt when the new identity's own records were lost, in ms; null: it never had any
 * @throws EncryptionError `corrupt_state`
 */
export async function renewRecords(
  crypto: CryptoPrimitives,
  records: KeyRecords,
  lostAt: number | null,
): Promise<void> {
  const renewed = new Map<string, Uint8Array | null>();
  for (const [name, bytes] of await records.load()) {
    renewed.set(name, name.startsWith(PEER) ? withoutMark(crypto, bytes) : null);
  }
  if (lostAt !== null) renewed.set(...restartedAt(crypto, lostAt));
  await records.save(renewed);
}

function withoutMark(crypto: CryptoPrimitives, bytes: Uint8Array): Uint8Array {
  const peer = decodePeer(crypto, bytes);
  return encodePeer(crypto, { ...peer, verified: false, ledger: NO_LEDGER });
}
