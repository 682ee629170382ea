import type { DeliverFile, OutgoingFile } from "../client/host-port.ts";
import { type KeyParts, OnceKeys } from "./once-keys.ts";

/** An unused ticket expires after this many ms. */
export const TICKET_MS = 60_000;
/** Maximum number of unused tickets; beyond it the oldest expires. */
const KEPT_AT_MOST = 16;
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
 */
export function createDownloadTickets(parts: KeyParts): DownloadTickets {
  const tickets = new OnceKeys<OutgoingFile>({ ...parts, ms: TICKET_MS, most: KEPT_AT_MOST });
  return {
    deliver: async (file) => ({ kind: "download", path: `${EXPORT_PATH}${tickets.issue(file)}` }),
    take: (path) =>
      path.startsWith(EXPORT_PATH) ? tickets.take(path.slice(EXPORT_PATH.length)) : null,
    close: () => tickets.clear(),
  };
}
