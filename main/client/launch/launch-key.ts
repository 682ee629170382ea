import { nodePrimitives } from "../../../runtime/crypto/node-primitives.ts";
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

/** The id of the key that this database's values are sealed with. */
export const NOTED_KEY = "host_key_check";

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
