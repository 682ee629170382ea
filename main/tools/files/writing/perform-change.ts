import { assertNever } from "../../../../app/contract/assert-never.ts";
import type { Preview } from "../../../../app/execution/ports.ts";
import type { FileValues } from "../file-jobs.ts";
import type { ChangeJob, PreviewJob } from "./change-jobs.ts";
import { editContent, previewEdit } from "./edit-content.ts";
import { makeDirectory } from "./make-directory.ts";
import { moveEntry, previewMove } from "./move-entry.ts";
import { previewTrash, trashEntry } from "./trash-entry.ts";
import { previewWrite, writeContent } from "./write-content.ts";

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
export function drawChange({ of }: PreviewJob): Preview {
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
