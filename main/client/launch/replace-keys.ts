import { basename } from "node:path";
import { assertNever } from "../../../app/contract/assert-never.ts";
import { nodePrimitives } from "../../../runtime/crypto/node-primitives.ts";
import {
  checkOf,
  HOST_KEY_FILE,
  type HostKey,
  IDENTITY_FILE,
  type KeyLoss,
  lossIn,
  openHostKey,
  passphraseSource,
  passwordThread,
  setKeyFileAside,
} from "../../keys/index.ts";
import { forgetSealed, type SettingsReader, type SettingsWriter } from "../../storage/index.ts";
import type { HostParts } from "../host-port.ts";
import { NOTED_IDENTITY } from "../keys/person-encryption.ts";
import type { LaunchOptions } from "./launch-options.ts";

export interface ReplaceKeysOptions {
  readonly dataDir: string;
  /** The person has asked for new keys to replace lost ones. */
  readonly wanted: boolean;
  /** ms since the epoch */
  now(): number;
  readonly stderr: (line: string) => void;
}

/**
 * Starts; if keys are lost and the person wants new ones, sets aside what only they opened and starts
 * again. Damaged records are replaced without the flag, because agents' keys can be fetched again.
 * Nothing is erased before a copy is set aside.
 * @param start gets what was lost
 * @throws KeyError, StoreError, or what `start` throws
 */
export async function startOrReplaceKeys<T>(
  { dataDir, wanted, now, stderr }: ReplaceKeysOptions,
  start: (lost: readonly KeyLoss[]) => Promise<T>,
): Promise<T> {
  const begun: KeyLoss[] = [];
  for (;;) {
    try {
      const started = await start(begun);
      if (wanted && begun.length === 0) stderr("The keys open. No new ones were made.");
      return started;
    } catch (error) {
      const loss = lossIn(error);
      const isMeant = wanted || loss === "records";
      if (loss === null || begun.includes(loss) || !isMeant) throw error;
      begun.push(loss);
      stderr(told(loss, await setAside(loss, dataDir, now())));
    }
  }
}

function told(loss: KeyLoss, names: readonly string[]): string {
  const what = loss === "records" ? "Key records were damaged" : `Keys were lost (${loss})`;
  const kept = names.length === 0 ? "" : ` Set aside: ${names.join(", ")}.`;
  return `${what}, and new ones are made.${kept}`;
}

/** @returns the names of what was set aside */
async function setAside(loss: KeyLoss, dataDir: string, now: number): Promise<readonly string[]> {
  const forget = (rows: "all" | "records" | "none", ...values: readonly string[]) => {
    const copy = forgetSealed(dataDir, now, { rows, values });
    return copy === null ? [] : [basename(copy)];
  };
  const setAsideFile = async (name: string) => {
    const aside = await setKeyFileAside(dataDir, name, now);
    return aside === null ? [] : [aside];
  };
  switch (loss) {
    case "host_key":
      return [
        ...forget("all", NOTED_KEY, NOTED_IDENTITY),
        ...(await setAsideFile(IDENTITY_FILE)),
        ...(await setAsideFile(HOST_KEY_FILE)),
      ];
    // Other owners' keys stay known, as after a restored identity.
    case "identity":
      return [...(await setAsideFile(IDENTITY_FILE)), ...forget("none", NOTED_IDENTITY)];
    // The identity continues above every number it may have used. What was granted or allowed is not kept,
    // because it was given to keys that are no longer known.
    case "records":
      return forget("records", NOTED_IDENTITY);
    default:
      return assertNever(loss);
  }
}

/** The id of the key that this database's values are sealed with. */
const NOTED_KEY = "host_key_check";

/**
 * Opens the data folder's key, and stores its id at the first start.
 * @throws KeyError, StoreError
 */
export async function launchKey(
  { flags, programs, terminal }: LaunchOptions,
  { keyVault }: HostParts,
  dataDir: string,
  settings: SettingsReader & SettingsWriter,
): Promise<HostKey> {
  const noted = settings.value(NOTED_KEY) ?? null;
  const { key } = await openHostKey({
    dataDir,
    noted,
    crypto: nodePrimitives,
    vault: keyVault ?? null,
    passphrase: await passphraseSource(flags.passphraseFile ?? null, terminal ?? null),
    deriveKey: passwordThread(programs.passwordWorker).deriveKey,
  });
  if (noted === null) await settings.putValue(NOTED_KEY, checkOf(key));
  return key;
}
