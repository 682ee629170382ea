import type { SettingsReader, SettingsWriter } from "../../storage/settings-store.ts";
import type { HostMemory } from "../host-port.ts";

const PREFIX = "host.";

/** Limits a host to its own values: the hub's token is stored in the same table. */
export const hostMemory = (
  settings: Pick<SettingsReader, "value"> & Pick<SettingsWriter, "putValue">,
): HostMemory => ({
  value: (name) => settings.value(PREFIX + name),
  putValue: (name, value) => settings.putValue(PREFIX + name, value),
});
