import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { Snapshot } from "../../../app/bridge/views.ts";
import { createI18n, type LocaleName, localeFor, type Translate } from "../../../i18n/index.ts";
import type { SettingsReader, SettingsWriter } from "../../storage/settings-store.ts";
import type { HostMemory, LoginStart } from "../host-port.ts";

/** The switch in the settings, where the host offers one. */
export function startAtLogin(offered: LoginStart | null, changed: () => void) {
  return {
    state(): Snapshot["login_start"] {
      if (offered === null) return null;
      return offered.isOn() ? "on" : "off";
    },
    /** @throws BridgeError `not_found` where it is not offered, `file_unwritable` where it failed */
    async set(on: boolean): Promise<void> {
      if (offered === null) throw bridgeError("not_found");
      try {
        await offered.set(on);
      } catch {
        throw bridgeError("file_unwritable");
      } finally {
        changed();
      }
    },
  };
}

const PREFIX = "host.";

/** Limits a host to its own values: the hub's token is stored in the same table. */
export const hostMemory = (
  settings: Pick<SettingsReader, "value"> & Pick<SettingsWriter, "putValue">,
): HostMemory => ({
  value: (name) => settings.value(PREFIX + name),
  putValue: (name, value) => settings.putValue(PREFIX + name, value),
});

/**
 * The program's texts outside pages.
 * @param chosen the person's setting; null follows the system
 * @param system its languages, best first; absent: the one that this process runs in
 */
export const systemTexts = (chosen: LocaleName | null, system?: readonly string[]): Translate =>
  createI18n(chosen ?? localeFor(system ?? [ownLanguage()])).t;

const ownLanguage = (): string => new Intl.DateTimeFormat().resolvedOptions().locale;
