import type { ChainedRecord } from "../../app/audit/audit-record.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import type { ExportFormat } from "../../app/contract/audit-log.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import type { LogSource, SeqRange, TimeRange } from "../storage/index.ts";
import { CSV_HEADER, csvLine } from "./csv-format.ts";
import { type Beside, entryLine, headerLine, type LogHeader } from "./jsonl-format.ts";

/** Records read at once: a few milliseconds, and about 350 KB of text. */
export const EXPORT_STEP = 500;

export interface ExportRequest {
  readonly source: Pick<LogSource, "extent" | "page" | "stretchOf" | "subjects">;
  readonly format: ExportFormat;
  /** Milliseconds since the epoch; the whole log where both ends are open. */
  readonly range: TimeRange;
  /** Milliseconds since the epoch, for the header. */
  readonly exportedAt: number;
  /** Whether lines of calls that have ended have the digests of what they are about; JSONL only. */
  readonly subjects?: boolean;
  /** What a call is about, as lines of calls then say it; JSONL only. */
  readonly about?: (entry: ChainedRecord) => JsonObject | undefined;
  readonly signal?: AbortSignal;
}

/**
 * The log as a file's bytes (docs/audit-log.md), one step of records at a time: nothing is read
 * before it is asked for. Every record is in it, intents and checkpoints too.
 * @throws StoreError (`store_refused`: a purge took what was to be read next); the signal's reason once it aborted
 */
export async function* exportLog(request: ExportRequest): AsyncIterable<Uint8Array> {
  const { source, format, signal } = request;
  const encoder = new TextEncoder();
  const stretch = source.stretchOf(request.range);
  yield encoder.encode(format === "csv" ? CSV_HEADER : headerLine(headerOf(request, stretch)));
  if (stretch === null) return;
  for (let first = stretch.first; ; ) {
    signal?.throwIfAborted();
    const entries = source.page({ first, last: stretch.last }, EXPORT_STEP);
    const last = entries.at(-1);
    if (last === undefined) return;
    const subjects =
      request.subjects === true ? source.subjects({ first, last: last.seq }) : NO_SUBJECTS;
    const lines = entries.map((entry) =>
      lineOf(format, entry, {
        subjects: subjects.get(entry.seq),
        target: request.about?.(entry),
      }),
    );
    yield encoder.encode(lines.join(""));
    first = last.seq + 1;
    // The thread is the program's: a consumer that is always ready must not keep it.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const NO_SUBJECTS: ReturnType<LogSource["subjects"]> = new Map();

function lineOf(format: ExportFormat, entry: ChainedRecord, beside: Beside): string {
  switch (format) {
    case "csv":
      return csvLine(entry);
    case "jsonl":
      return entryLine(entry, beside);
    default:
      return assertNever(format);
  }
}

function headerOf(
  { source, range, exportedAt }: ExportRequest,
  stretch: SeqRange | null,
): LogHeader {
  const whole = range.from === null && range.to === null;
  if (stretch === null) return { exportedAt, whole, after: null, head: null };
  const [first] = source.page(stretch, 1);
  const [last] = source.page({ first: stretch.last, last: stretch.last }, 1);
  return {
    exportedAt,
    whole,
    after: first === undefined ? null : { seq: first.seq - 1, hash: first.prev_hash },
    head: last === undefined ? null : { seq: last.seq, hash: last.hash },
  };
}
