import type { ChainedRecord } from "../../../app/audit/audit-record.ts";
import type { FileDelivery } from "../../../app/bridge/call-shape.ts";
import type { CallArgs } from "../../../app/bridge/calls.ts";
import type { ExportFormat } from "../../../app/contract/audit-log.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { CallTarget } from "../../../app/contract/target/target.ts";
import { exportLog } from "../../audit-log/index.ts";
import { openLog, type Store } from "../../storage/index.ts";
import type { DeliverFile } from "../host-port.ts";

type PartIn<T> = T extends { readonly parts: infer Parts } ? Parts[keyof Parts] : never;
type TargetPart = PartIn<CallTarget>;

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
  /** What a call was about whose first record this is. */
  readonly targetOf: Store["targetOf"];
}): (args: CallArgs<"activity.export">) => Promise<FileDelivery> {
  return async ({ format, from, to, targets = false }) => {
    const exportedAt = parts.clock.now();
    const about = targets ? { about: (entry: ChainedRecord) => aboutOf(parts, entry) } : {};
    const range = { from: from ?? null, to: to ?? null };
    const open = async function* (signal: AbortSignal) {
      const source = openLog(parts.dataDir);
      try {
        yield* exportLog({ source, format, range, exportedAt, signal, ...about });
      } finally {
        source.close();
      }
    };
    const name = `consentry-log-${fileStamp(exportedAt)}.${format}`;
    return parts.deliver({ name, mediaType: MEDIA_TYPES[format], open });
  };
}

/** Its kind, and each of its parts as one text. */
function aboutOf(
  { targetOf }: { readonly targetOf: Store["targetOf"] },
  { seq, record }: ChainedRecord,
): JsonObject | undefined {
  if (!("arguments_digest" in record)) return undefined;
  const { kind, parts } = targetOf({ ...record, line_id: seq }) ?? {};
  if (kind === undefined) return undefined;
  const texts = Object.entries<TargetPart>(parts ?? {}).map(([name, part]) => [name, textOf(part)]);
  return { kind, ...Object.fromEntries(texts) };
}

function textOf(part: TargetPart): string {
  if (part.kind === "path") return part.path;
  return part.kind === "address" ? part.lead + part.host : part.text;
}

/** Reports progress only when it has grown by at least a hundredth. */
export function byPercent(
  tell: (done: number, total: number) => void,
): (done: number, total: number) => void {
  let told = 0;
  return (done, total) => {
    const percent = Math.floor((done * 100) / total);
    if (percent === told) return;
    told = percent;
    tell(done, total);
  };
}

/** For a file's name: `20260131T235959Z`, without colons, which Windows does not allow in names. */
export const fileStamp = (time: number): string =>
  new Date(time).toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "");
