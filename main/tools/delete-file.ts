import { existsSync, lstatSync } from "node:fs";
import { type DeleteFileResult, deleteFile } from "../../app/contract/tools/delete-file.ts";
import { type Preview, toolFailure } from "../../app/execution/ports.ts";
import { fileTool, type Seen } from "./files/file-tool.ts";
import { type HeldPlace, withParentInside } from "./files/opening/safe-open.ts";
import type { Place } from "./files/paths/folder-preflight.ts";
import { type SharedNumbers, throwIfStopped } from "./files/shared-numbers.ts";
import { changePreflight, wholePlaceOf } from "./files/writing/change-preflight.ts";
import {
  type Entry,
  entriesOf,
  entryPreview,
  markOfEntry,
  requireEntry,
  requireSeen,
  seenOf,
} from "./files/writing/entry-at.ts";
import { syncFolder } from "./files/writing/put-file.ts";
import { trashBySpecification } from "./files/writing/trash-by-specification.ts";

/** `delete_file` (contract §4): moves to the trash, or does nothing. */
export const deleteFileTool = fileTool(deleteFile, {
  preflight: ({ path }, { roots }, ground) => changePreflight(path, roots, ground, "whole"),
  job: ({ path }, roots, ground, seen): TrashJob => ({
    ...wholePlaceOf(path, roots, ground),
    homeTrash: ground.homeTrash,
    seen,
  }),
  perform: (job, { stop }) => trashEntry(job, stop),
  draw: previewTrash,
  changes: (job) => [job],
});

export interface TrashJob extends Place, Seen {
  /** The home trash of the freedesktop.org specification, whether or not it exists. */
  readonly homeTrash: string;
}

/**
 * Moves a file or folder to the system's trash; never deletes it otherwise (contract §4).
 * @throws ToolFailure
 */
export async function trashEntry(job: TrashJob, stop: SharedNumbers): Promise<DeleteFileResult> {
  // The rest is awaited outside, when the folder is no longer held.
  const { type, done } = withParentInside(job.rootPath, job.path, (place) => {
    const entry = requireEntry(place.folder, place.name);
    requireSeen(job.seen, () => drawn(job, entry).seen);
    place.folder.stillHere();
    throwIfStopped(stop);
    return { type: entry.type, done: discard(place, job) };
  });
  await done;
  return { type };
}

/** @throws ToolFailure */
export function previewTrash(job: TrashJob): Preview {
  return withParentInside(job.rootPath, job.path, ({ folder, name }) => {
    const entry = requireEntry(folder, name);
    return drawn(job, entry);
  });
}

function drawn({ rootPath, path }: TrashJob, entry: Entry): Preview {
  const entries = entriesOf(rootPath, path, entry);
  return {
    shown: entryPreview(entry, entries, false),
    seen: seenOf(markOfEntry(entry), entries),
  };
}

function discard(place: HeldPlace, { homeTrash }: TrashJob): Promise<void> | null {
  if (process.platform !== "linux") return trashBySystem(place.folder.at(place.name));
  trashBySpecification({ place, homeTrash, now: new Date() });
  syncFolder(place.folder);
  return null;
}

/**
 * macOS and Windows. Asks the system to move a path to the trash. WEAKER than on Linux: the path is
 * checked again just before, and the system resolves it once more.
 * @throws ToolFailure `trash_unavailable`
 */
async function trashBySystem(path: string): Promise<void> {
  if (!hasTrash(path)) throw toolFailure("trash_unavailable");
  try {
    // Imported here, because other systems do not need it.
    const { default: trash } = await import("trash");
    await trash([path], { glob: false });
  } catch {
    throw toolFailure("trash_unavailable");
  }
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    throw toolFailure("trash_unavailable");
  }
}

/** Windows deletes permanently on volumes without a recycle bin (network drives, USB sticks). */
function hasTrash(path: string): boolean {
  if (process.platform === "win32") return existsSync(`${path.slice(0, 2)}\\$Recycle.Bin`);
  return process.platform === "darwin";
}
