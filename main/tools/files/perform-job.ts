import { assertNever } from "../../../app/contract/assert-never.ts";
import type { Preview } from "../../../app/execution/ports.ts";
import { makeDirectory } from "../create-directory.ts";
import { previewTrash, trashEntry } from "../delete-file.ts";
import { editContent, previewEdit } from "../edit-file.ts";
import { lookAt } from "../get-file-info.ts";
import { listEntries } from "../list-directory.ts";
import { moveEntry, previewMove } from "../move-file.ts";
import { readLines, readSlice } from "../read-file.ts";
import { searchTree } from "../search-files.ts";
import { previewWrite, writeContent } from "../write-file.ts";
import type { ChangeJob, FileJob, FileValues, JobKind, PreviewJob } from "./file-jobs.ts";

/** What a job of the file worker does. @throws ToolFailure */
export function performJob(job: FileJob): FileValues[JobKind] | Promise<FileValues[JobKind]> {
  switch (job.kind) {
    case "read":
      return readSlice(job);
    case "list":
      return listEntries(job);
    case "lines":
      return readLines(job);
    case "info":
      return lookAt(job);
    case "search":
      return searchTree(job);
    case "preview":
      return drawChange(job);
    case "write":
    case "edit":
    case "make_directory":
    case "move":
    case "trash":
      return performChange(job);
    default:
      return assertNever(job);
  }
}

/** @throws ToolFailure */
export function performChange(
  job: ChangeJob,
): FileValues[ChangeJob["kind"]] | Promise<FileValues["trash"]> {
  switch (job.kind) {
    case "write":
      return writeContent(job, job.stop);
    case "edit":
      return editContent(job, job.stop);
    case "make_directory":
      return makeDirectory(job, job.stop);
    case "move":
      return moveEntry(job, job.stop);
    case "trash":
      return trashEntry(job, job.stop);
    default:
      return assertNever(job);
  }
}

/** @throws ToolFailure */
function drawChange({ of }: PreviewJob): Preview {
  switch (of.kind) {
    case "write":
      return previewWrite(of);
    case "edit":
      return previewEdit(of);
    case "move":
      return previewMove(of);
    case "trash":
      return previewTrash(of);
    default:
      return assertNever(of);
  }
}
