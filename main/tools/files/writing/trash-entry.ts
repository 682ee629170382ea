import type { DeleteFileResult } from "../../../../app/contract/tools/delete-file.ts";
import type { Preview } from "../../../../app/execution/ports.ts";
import { type HeldPlace, withParentInside } from "../opening/safe-open.ts";
import { type StopFlag, throwIfStopped } from "../stop-flag.ts";
import type { TrashJob } from "./change-jobs.ts";
import { type Entry, markOfEntry, requireEntry, requireSeen } from "./entry-at.ts";
import { entriesOf, entryPreview, seenOf } from "./entry-preview.ts";
import { syncFolder } from "./sync-folder.ts";
import { trashBySpecification } from "./trash-by-specification.ts";
import { trashBySystem } from "./trash-by-system.ts";

/**
 * Moves a file or folder to the system's trash; never deletes it otherwise (contract §4).
 * @throws ToolFailure
 */
export async function trashEntry(job: TrashJob, stop: StopFlag): Promise<DeleteFileResult> {
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
