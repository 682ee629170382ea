import { isUtf8 } from "node:buffer";
import { fstatSync, readSync } from "node:fs";
import { READ_FILE_MAX_BYTES } from "../../../app/contract/tools/read-file.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";
import type { ReadJob, ReadSlice } from "./file-jobs.ts";
import { withFileInside } from "./opening/safe-open.ts";

/**
 * Reads one slice of a regular file, synchronously. A file that shrinks meanwhile gives what was
 * there; one that grows gives the slice asked for and `end_of_file: false`.
 * @throws ToolFailure
 */
export function readSlice(job: Omit<ReadJob, "kind">): ReadSlice {
  return withFileInside(job.rootPath, job.path, (fd) => {
    const bytes = readFully(fd, job.offset, bytesWanted(fstatSync(fd).size, job));
    // A slice that cuts a character in half is no text either: the agent can ask for base64.
    if (job.encoding === "utf-8" && !isUtf8(bytes)) throw new ToolFailure("not_text");
    const size = fstatSync(fd).size;
    return { bytes, size_bytes: size, end_of_file: job.offset + bytes.length >= size };
  });
}

function bytesWanted(size: number, { offset, length }: Omit<ReadJob, "kind">): number {
  const rest = Math.max(0, size - offset);
  const wanted = Math.min(rest, length ?? rest);
  if (wanted > READ_FILE_MAX_BYTES) throw new ToolFailure("too_large");
  return wanted;
}

function readFully(fd: number, offset: number, wanted: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(wanted);
  let filled = 0;
  while (filled < wanted) {
    const count = readSync(fd, bytes, filled, wanted - filled, offset + filled);
    if (count === 0) return bytes.slice(0, filled);
    filled += count;
  }
  return bytes;
}
