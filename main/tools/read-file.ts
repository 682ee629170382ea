import { isUtf8 } from "node:buffer";
import { fstatSync, readSync } from "node:fs";
import {
  type LinesArguments,
  READ_FILE_MAX_BYTES,
  READ_FILE_MAX_SCAN_BYTES,
  type ReadFileResult,
  readFile,
} from "../../app/contract/tools/read-file.ts";
import type { ArgumentsOf } from "../../app/contract/tools/tool-contract.ts";
import { toolFailure } from "../../app/execution/ports.ts";
import { fileTool } from "./files/file-tool.ts";
import { withFileInside } from "./files/opening/safe-open.ts";
import { type Place, readablePlace, readPreflight } from "./files/paths/folder-preflight.ts";
import { refuseMissing } from "./get-file-info.ts";

/** `read_file` (contract §4). */
export const readFileTool = fileTool(readFile, {
  preflight: ({ path }, { roots }, ground) => readPreflight(path, roots, ground, "parent"),
  job: (args, roots, { platform }): ReadJob => {
    const place = readablePlace(args.path, roots, platform);
    return inLines(args)
      ? { line_start: 1, ...args, ...place }
      : { offset: 0, encoding: "utf-8", ...args, ...place };
  },
  perform: (job) => ("line_start" in job ? readLines(job) : readSlice(job)),
  look: refuseMissing,
});

type ReadJob = SliceJob | LinesJob;

export interface SliceJob extends Place {
  /** In bytes, from the start of the file. */
  readonly offset: number;
  /** Maximum number of bytes; absent: everything after `offset`. */
  readonly length?: number;
  readonly encoding: "utf-8" | "base64";
}

export interface LinesJob extends Place {
  /** From 1. */
  readonly line_start: number;
  /** Maximum number of lines; absent: all that follow. */
  readonly line_count?: number;
}

const inLines = (args: ArgumentsOf<typeof readFile>): args is LinesArguments =>
  "line_start" in args || "line_count" in args;

/**
 * Reads one slice of a regular file, synchronously. If the file shrinks meanwhile, the result is
 * what was there; if it grows, the requested slice with `end_of_file: false`.
 * @throws ToolFailure
 */
export function readSlice(job: SliceJob): ReadFileResult {
  return withFileInside(job.rootPath, job.path, (fd) => {
    const bytes = readFully(fd, job.offset, bytesWanted(fstatSync(fd).size, job));
    return partOf(fd, bytes, job);
  });
}

/**
 * The part that was read, as the agent receives it; the file may have grown since.
 * @throws ToolFailure `not_text`, also for a part that cuts a character in half
 */
export function partOf(
  fd: number,
  bytes: Buffer,
  { offset, encoding }: Pick<SliceJob, "offset" | "encoding">,
): ReadFileResult {
  if (encoding === "utf-8" && !isUtf8(bytes)) throw toolFailure("not_text");
  const content = bytes.toString(encoding);
  const size_bytes = fstatSync(fd).size;
  const end_of_file = offset + bytes.length >= size_bytes;
  return { content, encoding, offset, length: bytes.length, size_bytes, end_of_file };
}

function bytesWanted(size: number, { offset, length }: SliceJob): number {
  const rest = Math.max(0, size - offset);
  const wanted = Math.min(rest, length ?? rest);
  if (wanted > READ_FILE_MAX_BYTES) throw toolFailure("too_large");
  return wanted;
}

function readFully(fd: number, offset: number, wanted: number): Buffer {
  const bytes = Buffer.alloc(wanted);
  let filled = 0;
  while (filled < wanted) {
    const count = readSync(fd, bytes, filled, wanted - filled, offset + filled);
    if (count === 0) return bytes.subarray(0, filled);
    filled += count;
  }
  return bytes;
}

const CHUNK_BYTES = 262_144;
const NEWLINE = 0x0a;

/**
 * Reads whole lines, each including its `\n`, which the last one may lack. Keeps one chunk and the
 * wanted lines in memory, however large the file is.
 * @throws ToolFailure
 */
export function readLines(job: LinesJob): ReadFileResult {
  return withFileInside(job.rootPath, job.path, (fd) => {
    const { bytes, offset, lines } = new LineScan(job).run(fd);
    const { line_start } = job;
    return { ...partOf(fd, bytes, { offset, encoding: "utf-8" }), line_start, lines };
  });
}

class LineScan {
  readonly #first: number;
  /** The line after the last one wanted. */
  readonly #past: number;
  readonly #parts: Buffer[] = [];
  #line = 1;
  #offset = 0;
  #taken = 0;
  #openLine = false;

  constructor(job: LinesJob) {
    this.#first = job.line_start;
    this.#past = job.line_start + (job.line_count ?? Number.POSITIVE_INFINITY);
  }

  /** `offset`: where the first line begins, in bytes. */
  run(fd: number): { bytes: Buffer; offset: number; lines: number } {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let scanned = 0;
    while (this.#line < this.#past) {
      const count = readSync(fd, chunk, 0, CHUNK_BYTES, scanned);
      if (count === 0) break;
      // The limit is reached before the file's end.
      if (scanned >= READ_FILE_MAX_SCAN_BYTES) throw toolFailure("too_large");
      this.#take(chunk.subarray(0, count));
      scanned += count;
    }
    const complete = Math.max(0, this.#line - this.#first);
    const lines = complete + (this.#openLine ? 1 : 0);
    return { bytes: Buffer.concat(this.#parts), offset: this.#offset, lines };
  }

  #take(chunk: Buffer): void {
    const from = this.#skip(chunk);
    let at = from;
    while (at < chunk.length && this.#line < this.#past) {
      const newline = chunk.indexOf(NEWLINE, at);
      this.#openLine = newline === -1;
      if (!this.#openLine) this.#line += 1;
      at = this.#openLine ? chunk.length : newline + 1;
    }
    this.#taken += at - from;
    if (this.#taken > READ_FILE_MAX_BYTES) throw toolFailure("too_large");
    if (at > from) this.#parts.push(Buffer.from(chunk.subarray(from, at)));
  }

  /** Skips the lines before the first one wanted; returns where that begins in the chunk. */
  #skip(chunk: Buffer): number {
    let at = 0;
    while (this.#line < this.#first && at < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, at);
      if (newline !== -1) this.#line += 1;
      at = newline === -1 ? chunk.length : newline + 1;
    }
    this.#offset += at;
    return at;
  }
}
