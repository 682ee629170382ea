import { isUtf8 } from "node:buffer";
import { type Dirent, lstatSync } from "node:fs";
import {
  type DirectoryEntry,
  type DirectoryEntryType,
  LIST_DIRECTORY_MAX_ENTRIES,
  LIST_DIRECTORY_MAX_PAGED,
  type ListDirectoryResult,
  listDirectory,
} from "../../app/contract/tools/list-directory.ts";
import { toolFailure } from "../../app/execution/ports.ts";
import { fileTool } from "./files/file-tool.ts";
import { withDirectoryInside } from "./files/opening/safe-open.ts";
import { readFolder } from "./files/opening/tree.ts";
import { type Place, readablePlace, readPreflight } from "./files/paths/folder-preflight.ts";
import { otherNamesOfOurs } from "./files/paths/own-data.ts";
import { refuseMissing, typeOf } from "./get-file-info.ts";

/** `list_directory` (contract §4). */
export const listDirectoryTool = fileTool(listDirectory, {
  preflight: ({ path }, { roots }, ground) => readPreflight(path, roots, ground, "itself"),
  job: (args, roots, { platform }) => ({
    ...args,
    ...readablePlace(args.path, roots, platform),
  }),
  perform: listEntries,
  look: refuseMissing,
});

export interface ListJob extends Place {
  /** Only names after this one. */
  readonly after?: string;
  /** Maximum number of entries; absent: all, or `too_large`. */
  readonly limit?: number;
}

interface RawEntry {
  readonly name: Buffer;
  readonly type: DirectoryEntryType;
}

/**
 * Lists one directory or a page of it, synchronously and without following links. A name that is
 * not UTF-8 cannot be passed on correctly, so it is counted instead.
 * @throws ToolFailure
 */
export function listEntries(job: ListJob): ListDirectoryResult {
  return withDirectoryInside(job.rootPath, job.path, (path) => {
    const { found: raw, names_skipped } = readEntries(path, job);
    const page = raw.slice(0, job.limit ?? LIST_DIRECTORY_MAX_ENTRIES);
    const entries = page.map((entry) => toEntry(path, entry));
    const goesOn = raw.length > page.length;
    const next_after = goesOn ? (entries.at(-1)?.name ?? null) : null;
    return { entries, next_after, names_skipped };
  });
}

function toEntry(path: string, { name, type }: RawEntry): DirectoryEntry {
  const text = name.toString("utf8");
  if (type !== "file") return { name: text, type };
  const stat = lstatSync(`${path}/${text}`, { throwIfNoEntry: false });
  return stat?.isFile() ? { name: text, type, size_bytes: stat.size } : { name: text, type };
}

interface Collected {
  /** The page's entries, plus one if there are more. */
  readonly found: readonly RawEntry[];
  readonly names_skipped: number;
}

function readEntries(path: string, { after, limit }: ListJob): Collected {
  const behind = after === undefined ? null : Buffer.from(after);
  const isOurs = otherNamesOfOurs();
  const isShown = (entry: Dirent, name: Buffer): boolean =>
    (behind === null || Buffer.compare(name, behind) > 0) &&
    !(entry.isFile() && isOurs(`${path}/${name.toString("utf8")}`));
  const most = limit === undefined ? LIST_DIRECTORY_MAX_ENTRIES : LIST_DIRECTORY_MAX_PAGED;
  let entries: RawEntry[] = [];
  let visited = 0;
  let names_skipped = 0;
  for (const [entry, name] of readFolder(path)) {
    visited += 1;
    if (visited > LIST_DIRECTORY_MAX_PAGED) throw toolFailure("too_large");
    if (!isUtf8(name)) {
      names_skipped += 1;
      continue;
    }
    if (!isShown(entry, name)) continue;
    if (entries.length === most) throw toolFailure("too_large");
    entries.push({ name, type: typeOf(entry) });
    if (limit !== undefined && entries.length > 2 * limit) entries = lowest(entries, limit + 1);
  }
  return { found: lowest(entries, limit === undefined ? most : limit + 1), names_skipped };
}

/** UTF-8 bytes sort in code point order; JavaScript compares UTF-16 units. */
const lowest = (entries: readonly RawEntry[], count: number): RawEntry[] =>
  entries.toSorted((one, other) => Buffer.compare(one.name, other.name)).slice(0, count);
