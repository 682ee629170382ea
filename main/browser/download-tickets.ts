import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Scheduler } from "../../app/execution/ports.ts";
import type { DeliverFile, OutgoingFile } from "../client/host-port.ts";

/** An unused ticket expires after this many ms. */
export const TICKET_MS = 60_000;
/** Maximum number of unused tickets; beyond it the oldest expires. */
const KEPT_AT_MOST = 16;
const TICKET_BYTES = 32;
export const EXPORT_PATH = "/export/";

export interface DownloadTickets {
  /** Answers a page's call with an address that returns the file once. */
  readonly deliver: DeliverFile;
  /** The file for a path, if its ticket is valid; this uses up the ticket. */
  take(path: string): OutgoingFile | null;
  close(): void;
}

/**
 * The browser opens a download's address without the page's secret, and remembers it. So the page
 * receives a ticket over its own connection, which opens one file, once and only for a short time.
 * Only hashes are kept.
 */
export function createDownloadTickets(parts: {
  readonly random: (length: number) => Uint8Array;
  readonly scheduler: Scheduler;
}): DownloadTickets {
  const kept = new Map<string, { readonly file: OutgoingFile; readonly cancel: () => void }>();
  const remove = (key: string): OutgoingFile | null => {
    const found = kept.get(key);
    found?.cancel();
    kept.delete(key);
    return found?.file ?? null;
  };
  return {
    async deliver(file) {
      const ticket = Buffer.from(parts.random(TICKET_BYTES)).toString("base64url");
      const key = keyOf(ticket);
      kept.set(key, { file, cancel: parts.scheduler.after(TICKET_MS, () => remove(key)) });
      const [oldest] = kept.keys();
      if (kept.size > KEPT_AT_MOST && oldest !== undefined) remove(oldest);
      return { kind: "download", path: `${EXPORT_PATH}${ticket}` };
    },
    take: (path) =>
      path.startsWith(EXPORT_PATH) ? remove(keyOf(path.slice(EXPORT_PATH.length))) : null,
    close() {
      for (const key of [...kept.keys()]) remove(key);
    },
  };
}

const keyOf = (ticket: string): string => createHash("sha256").update(ticket).digest("hex");
