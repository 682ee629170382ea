import { isUtf8 } from "node:buffer";
import type { BigIntStats } from "node:fs";
import type { ConsentPreview } from "../../../../app/contract/consent-preview.ts";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { withTreeInside } from "../opening/safe-open.ts";
import { readFolder, type Tree } from "../opening/tree.ts";
import { refuseWhileLinked } from "../paths/own-data.ts";
import type { HeldFolder } from "./held-folder.ts";
import { ABSENT, lookAtName } from "./present-file.ts";
import { isTemporaryName } from "./put-file.ts";

/** A file or folder that may be moved or deleted, as it was when examined. */
export interface Entry {
  readonly type: "file" | "directory";
  readonly stat: BigIntStats;
}

/**
 * What exists under a name; null if nothing.
 * @throws ToolFailure for links, devices and the like, and for names reserved for ourselves
 */
export function entryAt(folder: HeldFolder, name: string): Entry | null {
  if (isTemporaryName(name)) throw toolFailure("invalid_path");
  const stat = lookAtName(folder, name);
  if (stat === null) return null;
  if (stat.isDirectory()) return { type: "directory", stat };
  if (stat.isFile()) return { type: "file", stat };
  throw toolFailure("not_a_regular_file");
}

/**
 * What is to be moved or deleted with everything in it.
 * @throws ToolFailure
 */
export function requireEntry(folder: HeldFolder, name: string): Entry {
  const entry = entryAt(folder, name);
  if (entry === null) throw toolFailure("not_found");
  if (entry.type === "directory") refuseWhileLinked();
  return entry;
}

/**
 * Identifies an entry, and whether it was written to. A file system may reuse an inode number, so
 * the time of change is included, which no program can choose; for a folder, which may be written
 * into, the time of creation.
 */
export function markOfEntry(entry: Entry | null): string {
  if (entry === null) return ABSENT;
  const { dev, ino, size, mtimeNs, ctimeNs, birthtimeNs } = entry.stat;
  const since = entry.type === "file" ? [size, mtimeNs, ctimeNs] : [birthtimeNs];
  return [entry.type, dev, ino, ...since].join(":");
}

export const isSameThing = (one: BigIntStats, other: BigIntStats): boolean =>
  one.dev === other.dev && one.ino === other.ino;

/** @throws ToolFailure `changed_since_shown` if something was shown, and it has changed */
export function requireSeen(seen: string | null, now: () => string | null): void {
  if (seen !== null && seen !== now()) throw toolFailure("changed_since_shown");
}

/** Entries are counted for the preview up to this number. */
export const ENTRIES_COUNTED_MAX = 10_000;

/** What the person is shown of a file or folder that is moved or deleted. */
export function entryPreview(
  { type, stat }: Entry,
  entries: number | null,
  overwrites: boolean,
): ConsentPreview {
  const size_bytes = type === "file" ? Number(stat.size) : null;
  return { kind: "entry", entry: type, size_bytes, entries, overwrites };
}

/** Number of entries inside a folder; null for a file, and beyond the maximum. */
export const entriesOf = (rootPath: string, path: string, { type }: Entry): number | null =>
  type === "file" ? null : count(rootPath, path);

/** `Preview.seen` for an entry: a folder with more or fewer entries is not what was shown. */
export const seenOf = (mark: string, entries: number | null): string => `${mark}#${entries}`;

/** Null: there are more than are counted, or a folder could not be read. */
function count(rootPath: string, path: string): number | null {
  try {
    return withTreeInside(rootPath, path, countTree);
  } catch {
    return null;
  }
}

/** Never holds more names than are counted. */
function countTree(tree: Tree): number | null {
  const waiting: string[][] = [];
  let counted = 0;
  const lookInto = (): boolean => {
    const folder = namesIn(tree, ENTRIES_COUNTED_MAX - counted);
    if (folder === null) return false;
    counted += folder.names;
    waiting.push([...folder.folders]);
    return true;
  };
  if (!lookInto()) return null;
  while (waiting.length > 0) {
    const next = waiting.at(-1)?.pop();
    if (next !== undefined) {
      tree.enter(next);
      if (!lookInto()) return null;
    } else {
      waiting.pop();
      if (waiting.length > 0 && !tree.leave()) return null;
    }
  }
  return counted;
}

interface Names {
  readonly names: number;
  readonly folders: readonly string[];
}

const namesIn = (tree: Tree, most: number): Names | null =>
  tree.list((path) => readNames(path, most));

function readNames(path: string, most: number): Names | null {
  const folders: string[] = [];
  let names = 0;
  for (const [entry, name] of readFolder(path)) {
    names += 1;
    if (names > most) return null;
    if (!entry.isDirectory()) continue;
    // A name that is not UTF-8 cannot be passed on, so that folder cannot be entered.
    if (!isUtf8(name)) return null;
    folders.push(name.toString("utf8"));
  }
  return { names, folders };
}
