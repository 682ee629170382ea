import { bridgeError } from "../../app/bridge/client-bridge.ts";
import { auditFileError, writeAside } from "../audit-log/index.ts";
import type { DeliverFile } from "../client/host-port.ts";

/** Opens the system's dialog with this name; null if it was cancelled. */
export type OpenSaveDialog = (name: string) => Promise<string | null>;

/**
 * Asks the person for a place and writes the file there. An existing file is replaced only by a
 * complete one; the dialog has asked about that before.
 */
export const saveFile =
  (open: OpenSaveDialog): DeliverFile =>
  async (file) => {
    const path = await open(file.name);
    if (path === null) return { kind: "cancelled" };
    try {
      await writeAside(path, file.open(new AbortController().signal), { replace: true });
    } catch (error) {
      throw auditFileError.is(error) ? bridgeError("file_unwritable") : error;
    }
    return { kind: "saved" };
  };
