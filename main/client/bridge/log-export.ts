import type { CallArgs } from "../../../app/bridge/calls.ts";
import type { FileDelivery } from "../../../app/bridge/views.ts";
import type { ExportFormat } from "../../../app/contract/audit-log.ts";
import { exportLog } from "../../audit-log/index.ts";
import { openLog } from "../../storage/index.ts";
import type { DeliverFile } from "../host-port.ts";
import { fileStamp } from "./file-stamp.ts";

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  jsonl: "application/x-ndjson; charset=utf-8",
};

/**
 * Gives the person the log as a file. It is opened and read only while the file is being written.
 * @throws BridgeError `file_unwritable`, as a rejection
 */
export function logExport(parts: {
  readonly dataDir: string;
  readonly clock: { now(): number };
  readonly deliver: DeliverFile;
}): (args: CallArgs<"activity.export">) => Promise<FileDelivery> {
  return async ({ format, from, to }) => {
    const exportedAt = parts.clock.now();
    const range = { from: from ?? null, to: to ?? null };
    const open = async function* (signal: AbortSignal) {
      const source = openLog(parts.dataDir);
      try {
        yield* exportLog({ source, format, range, exportedAt, signal });
      } finally {
        source.close();
      }
    };
    const name = `consentry-log-${fileStamp(exportedAt)}.${format}`;
    return parts.deliver({ name, mediaType: MEDIA_TYPES[format], open });
  };
}
