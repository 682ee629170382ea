import { nodePrimitives } from "../../../crypto/node-primitives.ts";
import {
  checkOf,
  type HostKey,
  openHostKey,
  passphraseSource,
  passwordThread,
} from "../../keys/index.ts";
import type { SettingsReader, SettingsWriter } from "../../storage/index.ts";
import type { HostParts } from "../host-port.ts";
import type { LaunchOptions } from "./launch-options.ts";

/** Which key the things in this database lie under. */
export const NOTED_KEY = "host_key_check";

/**
 * Opens the data folder's key, and notes at the first start which one it is.
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
