import type { SettingsReader, SettingsWriter } from "../../storage/settings-store.ts";
import type { HostMemory } from "../host-port.ts";

const PREFIX = "host.";

/** A host reads and writes its own values only: the hub's token is kept in the same table. */
export const hostMemory = (
  settings: Pick<SettingsReader, "value"> & Pick<SettingsWriter, "putValue">,
): HostMemory => ({
  value: (name) => settings.value(PREFIX + name),
  putValue: (name, value) => settings.putValue(PREFIX + name, value),
});
