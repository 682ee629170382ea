import { bridgeError } from "../../app/bridge/client-bridge.ts";
import { toolFailure } from "../../app/execution/ports.ts";
import { auditFileError, writeAside } from "../audit-log/index.ts";
import type { DeliverFile } from "../client/host-port.ts";
import type { FolderPicker } from "../tools/platform/platform-services.ts";

/** Opens the system's dialog and returns what was chosen; nothing if it was cancelled. */
export type OpenFolderDialog = (startAt: string | null) => Promise<readonly string[]>;

/**
 * One dialog at a time: a second would open over the first. No system lets a program close its
 * dialog, so aborting ignores what will be chosen in it, and does not block later ones.
 */
export function folderPicker(open: OpenFolderDialog): FolderPicker {
  let shown = false;
  return {
    async pick(startAt, signal) {
      if (signal.aborted) throw toolFailure("cancelled");
      if (shown) return null;
      shown = true;
      const over = new AbortController();
      const stopped = new Promise<never>((_, reject) => {
        const stop = () => reject(toolFailure("cancelled"));
        signal.addEventListener("abort", stop, { once: true, signal: over.signal });
      });
      try {
        const [chosen] = await Promise.race([open(startAt), stopped]);
        return chosen ?? null;
      } finally {
        over.abort("over");
        shown = false;
      }
    },
  };
}

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
