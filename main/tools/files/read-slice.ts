import { isUtf8 } from "node:buffer";
import { fstatSync, readSync } from "node:fs";
import { READ_FILE_MAX_BYTES, type ReadFileResult } from "../../../app/contract/tools/read-file.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";
import type { ReadJob } from "./file-jobs.ts";
import { withFileInside } from "./opening/safe-open.ts";

/**
 * Reads one slice of a regular file, synchronously. If the file shrinks meanwhile, the result is
 * what was there; if it grows, the requested slice with `end_of_file: false`.
 * @throws ToolFailure
 */
export function readSlice(job: Omit<ReadJob, "kind">): ReadFileResult {
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
  { offset, encoding }: Pick<ReadJob, "offset" | "encoding">,
): ReadFileResult {
  if (encoding === "utf-8" && !isUtf8(bytes)) throw new ToolFailure("not_text");
  const content = bytes.toString(encoding);
  const size_bytes = fstatSync(fd).size;
  const end_of_file = offset + bytes.length >= size_bytes;
  return { content, encoding, offset, length: bytes.length, size_bytes, end_of_file };
}

function bytesWanted(size: number, { offset, length }: Omit<ReadJob, "kind">): number {
  const rest = Math.max(0, size - offset);
  const wanted = Math.min(rest, length ?? rest);
  if (wanted > READ_FILE_MAX_BYTES) throw new ToolFailure("too_large");
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
