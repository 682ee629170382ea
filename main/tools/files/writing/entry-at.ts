import type { BigIntStats } from "node:fs";
import { ToolFailure } from "../../../../app/execution/ports.ts";
import { refuseWhileLinked } from "../paths/own-data.ts";
import type { HeldFolder } from "./held-folder.ts";
import { isTemporaryName } from "./leftovers.ts";
import { ABSENT, lookAtName } from "./present-file.ts";

/** A file or folder that may be moved or deleted, as it was when it was looked at. */
export interface Entry {
  readonly type: "file" | "directory";
  readonly stat: BigIntStats;
}

/**
 * What stands at a name; null where nothing does.
 * @throws ToolFailure for links, devices and the like, and for names kept for ourselves
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
 * What is to go elsewhere with all that is in it.
 * @throws ToolFailure
 */
export function requireEntry(folder: HeldFolder, name: string): Entry {
  const entry = entryAt(folder, name);
  if (entry === null) throw new ToolFailure("not_found");
  if (entry.type === "directory") refuseWhileLinked();
  return entry;
}

/**
 * Which thing it is, and whether it was written to. A number that the file system gives again to
 * the next thing does not make that one the same: no program can choose when it changed, or for a
 * folder, which may be written into, when it came into being.
 */
export function markOfEntry(entry: Entry | null): string {
  if (entry === null) return ABSENT;
  const { dev, ino, size, mtimeNs, ctimeNs, birthtimeNs } = entry.stat;
  const since = entry.type === "file" ? [size, mtimeNs, ctimeNs] : [birthtimeNs];
  return [entry.type, dev, ino, ...since].join(":");
}

export const isSameThing = (one: BigIntStats, other: BigIntStats): boolean =>
  one.dev === other.dev && one.ino === other.ino;

/** @throws ToolFailure `changed_since_shown` when something was shown, and something else. */
export function requireSeen(seen: string | null, now: () => string | null): void {
  if (seen !== null && seen !== now()) throw new ToolFailure("changed_since_shown");
}
