import type { BigIntStats } from "node:fs";
import { ToolFailure } from "../../../../app/execution/ports.ts";
import { refuseWhileLinked } from "../paths/own-data.ts";
import type { HeldFolder } from "./held-folder.ts";
import { isTemporaryName } from "./leftovers.ts";
import { ABSENT, lookAtName } from "./present-file.ts";

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
  if (isTemporaryName(name)) throw new ToolFailure("invalid_path");
  const stat = lookAtName(folder, name);
  if (stat === null) return null;
  if (stat.isDirectory()) return { type: "directory", stat };
  if (stat.isFile()) return { type: "file", stat };
  throw new ToolFailure("not_a_regular_file");
}

/**
 * What is to be moved or deleted with everything in it.
 * @throws ToolFailure
 */
export function requireEntry(folder: HeldFolder, name: string): Entry {
  const entry = entryAt(folder, name);
  if (entry === null) throw new ToolFailure("not_found");
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
  if (seen !== null && seen !== now()) throw new ToolFailure("changed_since_shown");
}
