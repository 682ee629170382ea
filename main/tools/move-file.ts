import { mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { type MoveFileResult, moveFile } from "../../app/contract/tools/move-file.ts";
import { type Preview, toolFailure } from "../../app/execution/ports.ts";
import { fileTool, type Seen } from "./files/file-tool.ts";
import { type HeldPlace, withParentInside } from "./files/opening/safe-open.ts";
import type { Place } from "./files/paths/folder-preflight.ts";
import { type SharedNumbers, throwIfStopped } from "./files/shared-numbers.ts";
import { movePreflight, wholePlaceOf } from "./files/writing/change-preflight.ts";
import {
  type Entry,
  entriesOf,
  entryAt,
  entryPreview,
  isSameThing,
  markOfEntry,
  requireEntry,
  requireSeen,
  seenOf,
} from "./files/writing/entry-at.ts";
import { lookAtName, requireWritable } from "./files/writing/present-file.ts";
import { codeOf, linkInto, syncFolder } from "./files/writing/put-file.ts";

/** `move_file` (contract §4). */
export const moveFileTool = fileTool(moveFile, {
  preflight: ({ from, to }, { roots }, ground) => movePreflight(from, to, roots, ground),
  job: ({ from, to, overwrite = false }, roots, ground, seen): MoveJob => ({
    from: wholePlaceOf(from, roots, ground),
    to: wholePlaceOf(to, roots, ground),
    overwrite,
    seen,
  }),
  perform: (job, { stop }) => moveEntry(job, stop),
  draw: previewMove,
  changes: ({ from, to }) => [to, { ...from, moved_to: to }],
});

export interface MoveJob extends Seen {
  readonly from: Place;
  readonly to: Place;
  readonly overwrite: boolean;
}

/** The two ends of a move: what is moved, and what exists at the destination. */
interface Ends {
  readonly from: HeldPlace;
  readonly to: HeldPlace;
  readonly entry: Entry;
  readonly target: Entry | null;
  /** False also if the destination is only another spelling of the same name. */
  readonly overwrites: boolean;
  readonly mark: string;
}

/**
 * Moves or renames a file or folder (contract §4). Nothing at the destination is replaced unless
 * asked for.
 * @throws ToolFailure
 */
export function moveEntry(job: MoveJob, stop: SharedNumbers): MoveFileResult {
  return withEnds(job, (ends) => {
    requireSeen(job.seen, () => drawn(job, ends).seen);
    ends.from.folder.stillHere();
    ends.to.folder.stillHere();
    throwIfStopped(stop);
    relocate(ends);
    syncFolder(ends.to.folder);
    syncFolder(ends.from.folder);
    return { type: ends.entry.type, overwrote: ends.overwrites };
  });
}

/** @throws ToolFailure */
export function previewMove(job: MoveJob): Preview {
  return withEnds(job, (ends) => drawn(job, ends));
}

function drawn({ from }: MoveJob, { entry, overwrites, mark }: Ends): Preview {
  const entries = entriesOf(from.rootPath, from.path, entry);
  return { shown: entryPreview(entry, entries, overwrites), seen: seenOf(mark, entries) };
}

function withEnds<T>(job: MoveJob, use: (ends: Ends) => T): T {
  return withParentInside(job.from.rootPath, job.from.path, (from) =>
    withParentInside(job.to.rootPath, job.to.path, (to) => {
      const entry = requireEntry(from.folder, from.name);
      const target = entryAt(to.folder, to.name);
      if (target !== null) requireReplaceable(entry, target, job.overwrite);
      const overwrites = target !== null && !isSameThing(entry.stat, target.stat);
      if (overwrites) requireWritable(to.folder, to.name);
      const mark = `${markOfEntry(entry)}>${markOfEntry(target)}`;
      return use({ from, to, entry, target, overwrites, mark });
    }),
  );
}

/** @throws ToolFailure unless the one may replace the other */
function requireReplaceable(entry: Entry, target: Entry, overwrite: boolean): void {
  // The same entry twice: if the folder treats both spellings as one name, it is renamed; if it is
  // a file with two names, there is nothing to do.
  const same = isSameThing(entry.stat, target.stat);
  if (same && (entry.type === "directory" || entry.stat.nlink === 1n)) return;
  if (same || !overwrite) throw toolFailure("already_exists");
  if (entry.type === target.type) return;
  throw toolFailure(target.type === "directory" ? "is_a_directory" : "not_a_directory");
}

function relocate({ from, to, entry, target }: Ends): void {
  const source = from.folder.at(from.name);
  const destination = to.folder.at(to.name);
  if (target !== null) renameEntry(source, destination);
  else if (entry.type === "file") moveFileToNothing(source, destination, from, entry);
  else moveFolderToNothing(source, destination);
}

/**
 * Adds a second name and removes the first: unlike renaming, this never replaces anything. If the
 * file system has no hard links, a name that appears in between is replaced (`linkInto`).
 */
function moveFileToNothing(source: string, destination: string, from: HeldPlace, entry: Entry) {
  if (!linkInto(source, destination)) {
    renameEntry(source, destination);
    return;
  }
  const now = lookAtName(from.folder, from.name);
  // If another program just put a newer file there, it stays, as it would after a copy.
  if (now !== null && isSameThing(now, entry.stat)) unlinkSync(source);
}

/**
 * Renaming a folder may replace an empty one. To make sure that the empty one is ours, it is
 * created first, which fails if anything exists. Windows never replaces a folder by renaming, so
 * nothing is needed.
 */
function moveFolderToNothing(source: string, destination: string): void {
  if (process.platform === "win32") {
    renameEntry(source, destination);
    return;
  }
  mkdirSync(destination);
  try {
    renameEntry(source, destination);
  } catch (error) {
    removeEmpty(destination);
    throw error;
  }
}

function renameEntry(source: string, destination: string): void {
  try {
    renameSync(source, destination);
  } catch (error) {
    // A folder into itself, whatever the spelling.
    throw codeOf(error) === "EINVAL" ? toolFailure("invalid_path") : error;
  }
}

/** If another program has put something into it, it stays. */
function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // As described above.
  }
}
