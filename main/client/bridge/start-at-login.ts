import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { Snapshot } from "../../../app/bridge/views.ts";
import type { LoginStart } from "../host-port.ts";

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
