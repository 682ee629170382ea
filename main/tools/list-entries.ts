import { isUtf8 } from "node:buffer";
import { type Dir, type Dirent, opendirSync } from "node:fs";
import {
  type DirectoryEntryType,
  LIST_DIRECTORY_MAX_ENTRIES,
  type ListDirectoryResult,
} from "../../app/contract/tools/list-directory.ts";
import { ToolFailure } from "../../app/execution/ports.ts";
import type { ListJob } from "./file-jobs.ts";
import { withDirectoryInside } from "./safe-open.ts";

interface RawEntry {
  readonly name: Buffer;
  readonly type: DirectoryEntryType;
}

/**
 * Lists one directory, synchronously and following nothing. A name that is not UTF-8 cannot be
 * told to the agent truthfully and must not vanish either: the call fails with `not_text`.
 * @throws ToolFailure
 */
export function listEntries(job: Omit<ListJob, "kind">): ListDirectoryResult {
  const entries = withDirectoryInside(job.rootPath, job.path, readEntries);
  if (!entries.every(({ name }) => isUtf8(name))) throw new ToolFailure("not_text");
  // The bytes of UTF-8 sort in code point order; JavaScript's own order is by UTF-16 unit.
  const sorted = entries.toSorted((one, other) => Buffer.compare(one.name, other.name));
  return { entries: sorted.map(({ name, type }) => ({ name: name.toString("utf8"), type })) };
}

function readEntries(path: string): RawEntry[] {
  // Entry by entry, so that a folder of millions never stands in memory. Node's types know only
  // text encodings here; with "buffer" every name is a Buffer.
  const directory = opendirSync(path, { encoding: "buffer" as BufferEncoding, bufferSize: 256 });
  try {
    return collect(directory);
  } finally {
    directory.closeSync();
  }
}

function collect(directory: Dir): RawEntry[] {
  const entries: RawEntry[] = [];
  for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
    if (entries.length === LIST_DIRECTORY_MAX_ENTRIES) throw new ToolFailure("too_large");
    const name: unknown = entry.name;
    if (!Buffer.isBuffer(name)) throw new ToolFailure("internal_error");
    entries.push({ name, type: typeOf(entry) });
  }
  return entries;
}

function typeOf(entry: Dirent): DirectoryEntryType {
  if (entry.isSymbolicLink()) return "symlink";
  if (entry.isDirectory()) return "directory";
  return entry.isFile() ? "file" : "other";
}
