import type { ImportStep } from "../../../../app/bridge/own-data-calls.ts";
import { EXPORT_LINE_BYTES } from "../../../../app/contract/export-file.ts";
import { jsonOf } from "../../../../app/contract/json.ts";
import { LIMITS } from "../../../../app/contract/limits.ts";
import { LineSplitter, PiecemealLog } from "../../../audit-log/index.ts";
import { FORMAT_VERSION } from "./export.ts";
import { type ImportLine, isHeader, readImportLine } from "./import-lines.ts";

type Fault = Extract<ImportStep, { kind: "fault" }>;

/** A file that is not taken over, and where it is wrong. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  readonly step: Fault;
  constructor(fault: Fault["fault"], line: number) {
    super(fault);
    this.step = { kind: "fault", fault, line: Math.max(1, line) };
  }
}

/** A line of the log, as it stands in the file. */
interface LogLine {
  readonly kind: "log_line";
  readonly text: string;
}

export type ReadLine = ImportLine | LogLine;

/** Reads an exported file in pieces, in constant memory, and verifies the log in it. */
export class ImportReader {
  readonly #splitter = new LineSplitter(EXPORT_LINE_BYTES);
  readonly #log = new PiecemealLog();
  #line = 0;
  #bytes = 0;
  /** Number of the line after which the log's own begin; null before it came. */
  #logAfter: number | null = null;
  #header: { readonly exported_at: number; readonly version: string } | null = null;

  /** The first line's; null before it came. */
  get header() {
    return this.#header;
  }

  /** Number of the line that was read last. */
  get line(): number {
    return this.#line;
  }

  get log(): Pick<PiecemealLog, "records" | "until"> {
    return this.#log;
  }

  /** @throws ImportError */
  *push(bytes: Uint8Array): Iterable<ReadLine> {
    this.#bytes += bytes.length;
    if (this.#bytes > LIMITS.importBytes) throw this.#error("file_too_large");
    for (const line of this.#splitter.push(bytes)) yield* this.#read(line);
  }

  /** @throws ImportError */
  *end(): Iterable<ReadLine> {
    for (const line of this.#splitter.end()) yield* this.#read(line);
    if (this.#line === 0) throw this.#error("not_an_export");
    if (this.#logAfter === null) throw this.#error("cut_off");
    const end = this.#log.finish();
    if (end === "cut_off") throw this.#error("cut_off");
    if (end !== "ok") throw new ImportError("log_broken", this.#logAfter + end);
  }

  *#read(text: string | null): Iterable<ReadLine> {
    this.#line += 1;
    if (this.#line === 1) return this.#begin(text);
    if (this.#logAfter !== null) {
      if (text === null) throw this.#error("log_broken");
      const wrong = this.#log.accept(text);
      if (wrong !== null) throw new ImportError("log_broken", this.#logAfter + wrong);
      yield { kind: "log_line", text };
      return;
    }
    // Not read as strictly as what agents send: as deep as that may be, it lies deeper in its line.
    const line = text === null ? null : readImportLine(jsonOf(text));
    if (line === null) throw this.#error("line_unreadable");
    if (line.kind === "log") this.#logAfter = this.#line;
    yield line;
  }

  #begin(text: string | null): void {
    const value = text === null ? null : jsonOf(text);
    if (!isHeader(value)) throw this.#error("not_an_export");
    if (value.version !== FORMAT_VERSION) throw this.#error("other_version");
    const exported_at = Date.parse(value.exported_at);
    if (Number.isNaN(exported_at)) throw this.#error("not_an_export");
    this.#header = { exported_at, version: value.program };
  }

  #error(fault: Fault["fault"]): ImportError {
    return new ImportError(fault, this.#line);
  }
}
