import { E2eeClient } from "../../../app/encryption/e2ee/e2ee-client.ts";
import type { E2eeEvent, KeyDirectory } from "../../../app/encryption/e2ee/ports.ts";
import type { Identity } from "../../../app/encryption/identity/identity.ts";
import { later, nodePrimitives } from "../../../runtime/crypto/node-primitives.ts";
import {
  type BackupTools,
  type HostKey,
  keepIdentity,
  keyError,
  keyIdText,
  openIdentity,
  type PasswordTools,
  sealedRecords,
} from "../../keys/index.ts";
import { renewRecords } from "../../keys/sealed-records.ts";
import type { Store } from "../../storage/index.ts";

/** The key ids of the identity that the records belong to, and of those restored since, which will replace it. */
export const NOTED_IDENTITY = "identity_key_ids";

export interface PersonEncryptionOptions {
  readonly dataDir: string;
  readonly hostKey: HostKey;
  readonly store: Pick<Store, "settings" | "keyRecords" | "clock">;
  /** The person's id at the hub. */
  readonly ownerId: string;
  readonly directory: KeyDirectory;
  readonly passwords: PasswordTools;
}

/** The person's side of the encryption, loaded or created at a start. */
export interface PersonEncryption {
  readonly identity: Identity;
  readonly e2ee: E2eeClient;
  readonly backupTools: BackupTools & PasswordTools;
  /** Replaces the listener. */
  hear(listener: (event: E2eeEvent) => void): void;
  /** Resolves when that will be the identity from the next start on. The previous one is kept aside. */
  replaceIdentity(identity: Identity): Promise<void>;
}

/** @throws KeyError, StoreError */
export async function openPersonEncryption(
  options: PersonEncryptionOptions,
): Promise<PersonEncryption> {
  try {
    return await openEnd(options);
  } catch (error) {
    const isCorrupt = error instanceof Error && "code" in error && error.code === "corrupt_state";
    throw isCorrupt ? keyError("key_records_damaged", { cause: error }) : error;
  }
}

async function openEnd(options: PersonEncryptionOptions): Promise<PersonEncryption> {
  const { dataDir, hostKey, store, ownerId, directory, passwords } = options;
  const crypto = nodePrimitives;
  const place = { dataDir, hostKey, crypto };
  const now = () => store.clock.now();
  const noted = store.settings.value(NOTED_IDENTITY)?.split(" ") ?? [];
  const { identity, isNew } = await openIdentity({ ...place, ownerId, noted, now: now() });
  const records = sealedRecords(store.keyRecords, hostKey);
  const own = keyIdText(identity);
  if (own !== noted[0]) await renewRecords(crypto, records, isNew ? null : now());
  if (noted.join(" ") !== own) await store.settings.putValue(NOTED_IDENTITY, own);

  let heard: (event: E2eeEvent) => void = () => {};
  const e2ee = await E2eeClient.open({
    crypto,
    identity,
    role: "person",
    records,
    directory,
    now,
    heard: (event) => heard(event),
    later,
  });
  return {
    identity,
    e2ee,
    backupTools: { crypto, ...passwords },
    hear: (listener) => {
      heard = listener;
    },
    async replaceIdentity(next) {
      const before = store.settings.value(NOTED_IDENTITY) ?? own;
      const id = keyIdText(next);
      if (id === own && before === own) return;
      // The file may be any of these until it is written, if another was restored before.
      await store.settings.putValue(NOTED_IDENTITY, `${before} ${id}`);
      await keepIdentity(place, identity, `.${now()}.old`);
      await keepIdentity(place, next);
    },
  };
}
