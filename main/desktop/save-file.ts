import { writeAside } from "../audit-log/index.ts";
import type { DeliverFile } from "../client/host-port.ts";

/** Opens the system's dialog with this name in it; null when it was cancelled. */
export type OpenSaveDialog = (name: string) => Promise<string | null>;

/**
 * Asks the person where to, and writes there; what was there is only replaced by a whole file.
 * The dialog itself asks before that.
 */
export const saveFile =
  (open: OpenSaveDialog): DeliverFile =>
  async (file) => {
    const path = await open(file.name);
    if (path === null) return { kind: "cancelled" };
    await writeAside(path, file.open(new AbortController().signal), { replace: true });
    return { kind: "saved" };
  };
