import type { ChainedRecord } from "../../app/audit/audit-record.ts";
import { AuditFileError } from "./audit-file-error.ts";
import { columnsNamed, readCsvLine } from "./csv-format.ts";
import { isGap, type LogHeader, readEntry, readHeader } from "./jsonl-format.ts";
import { readLines } from "./read-lines.ts";

export interface ExportedLog {
  /** Null for a CSV file, which has none, and for what was salvaged. */
  readonly header: LogHeader | null;
  /** A line that is no record comes as one that fits nowhere. */
  readonly entries: AsyncIterable<ChainedRecord>;
}

/**
 * Opens an exported file, whichever format it has.
 * @throws AuditFileError `not_an_export`; whatever the file system says
 */
export async function readExport(path: string): Promise<ExportedLog> {
  const lines = readLines(path)[Symbol.asyncIterator]();
  const { value: first } = await lines.next();
  if (typeof first !== "string") throw new AuditFileError("not_an_export");
  const rest = { [Symbol.asyncIterator]: () => lines };
  const columns = columnsNamed(`${first.replace(/^\ufeff/, "").replace(/\r$/, "")}\r\n`);
  if (columns !== undefined) {
    return { header: null, entries: entriesOf(rest, (line) => readCsvLine(line, columns)) };
  }
  const header = readHeader(first);
  if (header === null) throw new AuditFileError("not_an_export");
  if (header !== "salvage") return { header, entries: entriesOf(rest, readEntry) };
  return { header: null, entries: entriesOf(rest, readSalvaged) };
}

/** No content has this hash, and it follows nothing: verification finds what stands here. */
const NO_RECORD: ChainedRecord = {
  seq: 0,
  prev_hash: "",
  hash: "",
  record: {
    kind: "checkpoint",
    timestamp: 0,
    purged_through_seq: 0,
    purged_through_hash: "",
    purged_count: 0,
  },
};

/** `gap`: the line stands for records that are not there, which their neighbours' numbers show. */
type ReadLine = (line: string) => ChainedRecord | "gap" | null;

const readSalvaged: ReadLine = (line) => (isGap(line) ? "gap" : readEntry(line));

async function* entriesOf(
  lines: AsyncIterable<string | null>,
  read: ReadLine,
): AsyncIterable<ChainedRecord> {
  for await (const line of lines) {
    const entry = line === null ? null : read(line);
    if (entry !== "gap") yield entry ?? NO_RECORD;
  }
}
