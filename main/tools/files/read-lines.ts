import { readSync } from "node:fs";
import {
  READ_FILE_MAX_BYTES,
  READ_FILE_MAX_SCAN_BYTES,
  type ReadFileResult,
} from "../../../app/contract/tools/read-file.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";
import type { LinesJob } from "./file-jobs.ts";
import { withFileInside } from "./opening/safe-open.ts";
import { partOf } from "./read-slice.ts";

const CHUNK_BYTES = 262_144;
const NEWLINE = 0x0a;

/**
 * Reads whole lines, each including its `\n`, which the last one may lack. Keeps one chunk and the
 * wanted lines in memory, however large the file is.
 * @throws ToolFailure
 */
export function readLines(job: Omit<LinesJob, "kind">): ReadFileResult {
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

  constructor(job: Omit<LinesJob, "kind">) {
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
      if (scanned >= READ_FILE_MAX_SCAN_BYTES) throw new ToolFailure("too_large");
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
    if (this.#taken > READ_FILE_MAX_BYTES) throw new ToolFailure("too_large");
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
