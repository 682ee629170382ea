import { rename } from "node:fs/promises";
import { join } from "node:path";
import { errorKind } from "../../app/contract/coded-error.ts";
import type { CryptoPrimitives } from "../../app/encryption/crypto-primitives.ts";
import { encryptionError } from "../../app/encryption/encryption-error.ts";
import { createIdentity, type Identity } from "../../app/encryption/identity/identity.ts";
import {
  type DerivePasswordKey,
  readIdentityFile,
  writeIdentityFile,
} from "../../app/encryption/keyfile/key-file.ts";
import { readOwnFile } from "../../runtime/files/own-file.ts";
import type { HostKey } from "./host-key.ts";
import { keyError, keyFileWork, writeKeyFile } from "./key-error.ts";

export const IDENTITY_FILE = "identity.key";
const LONGEST = 4_096;

export interface IdentityPlace {
  readonly dataDir: string;
  readonly hostKey: HostKey;
  readonly crypto: CryptoPrimitives;
}

export interface IdentityOptions extends IdentityPlace {
  /** The person's id at the hub. */
  readonly ownerId: string;
  /** Hex key ids by which others know this person, or soon will; empty: nobody does. */
  readonly noted: readonly string[];
  /** ms since the epoch */
  readonly now: number;
}

export interface OpenedIdentity {
  readonly identity: Identity;
  /** It was just created, so nobody can know it. */
  readonly isNew: boolean;
}

export const keyIdText = ({ card }: Identity): string => Buffer.from(card.keyId).toString("hex");

/**
 * The person's identity: created at the first start, and from then on only read. If it is missing,
 * damaged or not the one that others know, that is an error, and it is never replaced. If it
 * belongs to another owner, known to a hub that was lost, it is set aside: a new hub knows another
 * person.
 * @throws KeyError `identity_missing`, `identity_damaged`, `identity_other`, `host_key_unreadable`
 */
export async function openIdentity(options: IdentityOptions): Promise<OpenedIdentity> {
  const { dataDir, ownerId, noted, now } = options;
  const stored = await storedIdentity(options);
  if (stored === null) {
    if (noted.length > 0) throw keyError("identity_missing");
    return { identity: await makeIdentity(options), isNew: true };
  }
  const isKnown = noted.length === 0 || noted.includes(keyIdText(stored));
  if (!isKnown) throw keyError("identity_other");
  if (stored.card.ownerId === ownerId) return { identity: stored, isNew: false };
  await setKeyFileAside(dataDir, IDENTITY_FILE, now);
  return { identity: await makeIdentity(options), isNew: true };
}

async function storedIdentity(place: IdentityPlace): Promise<Identity | null> {
  const { crypto, hostKey } = place;
  const bytes = await stillReadable(async () => readOwnFile(pathIn(place), LONGEST));
  if (bytes === null) return null;
  return readIdentityFile(crypto, "identity", hostKey.protection, bytes).catch((error: unknown) => {
    throw keyError("identity_damaged", { cause: error });
  });
}

async function makeIdentity(options: IdentityOptions): Promise<Identity> {
  const made = createIdentity(options.crypto, options.ownerId);
  await keepIdentity(options, made);
  return made;
}

/**
 * @param suffix for a copy that is only kept
 * @throws KeyError `host_key_unreadable`
 */
export async function keepIdentity(
  place: IdentityPlace,
  identity: Identity,
  suffix = "",
): Promise<void> {
  const { crypto, hostKey } = place;
  const bytes = await writeIdentityFile(crypto, "identity", hostKey.protection, identity);
  await stillReadable(() => writeKeyFile(`${pathIn(place)}${suffix}`, bytes));
}

const pathIn = ({ dataDir }: Pick<IdentityPlace, "dataDir">): string =>
  join(dataDir, IDENTITY_FILE);

/**
 * Renames a whole key file, because data that it opens may still exist.
 * @param now ms since the epoch
 * @returns its new name; null if there was none
 * @throws KeyError `host_key_unreadable`
 */
export function setKeyFileAside(
  dataDir: string,
  name: string,
  now: number,
): Promise<string | null> {
  const path = join(dataDir, name);
  const aside = `${name}.${now}.old`;
  return stillReadable(() =>
    rename(path, join(dataDir, aside)).then(
      () => aside,
      (error: unknown) => {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
        throw error;
      },
    ),
  );
}

const stillReadable = <T>(work: () => Promise<T>): Promise<T> =>
  keyFileWork("identity_damaged", work);

const BACKUP_ERRORS = ["backup_damaged", "wrong_password", "backup_of_another"] as const;
type BackupErrorCode = (typeof BACKUP_ERRORS)[number];

export const backupError = errorKind<BackupErrorCode>("BackupError");

export interface BackupTools {
  readonly crypto: CryptoPrimitives;
  readonly deriveKey: DerivePasswordKey;
}

/** The identity, encrypted with its own password: everything needed to be this person again. */
export const writeBackup = (
  { crypto, deriveKey }: BackupTools,
  identity: Identity,
  password: string,
): Promise<Uint8Array> =>
  writeIdentityFile(crypto, "backup", { kind: "password", password, deriveKey }, identity);

/**
 * @param ownerId the owner it must belong to
 * @throws BackupError
 */
export async function readBackup(
  { crypto, deriveKey }: BackupTools,
  bytes: Uint8Array,
  password: string,
  ownerId: string,
): Promise<Identity> {
  const protection = { kind: "password", password, deriveKey } as const;
  const identity = await readIdentityFile(crypto, "backup", protection, bytes).catch(
    (error: unknown) => {
      if (!encryptionError.is(error)) throw error;
      const wrong = error.code === "wrong_password";
      throw backupError(wrong ? "wrong_password" : "backup_damaged", { cause: error });
    },
  );
  if (identity.card.ownerId !== ownerId) throw backupError("backup_of_another");
  return identity;
}
