import { BridgeError } from "../../../app/bridge/client-bridge.ts";
import type { FolderPicker } from "../../tools/platform/platform-services.ts";

/** @throws BridgeError `not_found` where the host has no picker of its own */
export async function pickFolder(
  picker: FolderPicker | null,
  startAt: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  if (picker === null) throw new BridgeError("not_found");
  return picker.pick(startAt, signal);
}
