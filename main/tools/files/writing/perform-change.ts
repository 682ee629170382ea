import { assertNever } from "../../../../app/contract/assert-never.ts";
import type { Preview } from "../../../../app/execution/ports.ts";
import type { ChangeJob, ChangeResult, PreviewJob } from "./change-jobs.ts";
import { editContent, previewEdit } from "./edit-content.ts";
import { makeDirectory } from "./make-directory.ts";
import { moveEntry, previewMove } from "./move-entry.ts";
import { previewTrash, trashEntry } from "./trash-entry.ts";
import { previewWrite, writeContent } from "./write-content.ts";

/** @throws ToolFailure */
export function performChange(job: ChangeJob): ChangeResult | Promise<ChangeResult> {
  switch (job.kind) {
    case "write":
      return { kind: "write", value: writeContent(job, job.stop) };
    case "edit":
      return { kind: "edit", value: editContent(job, job.stop) };
    case "make_directory":
      return { kind: "make_directory", value: makeDirectory(job, job.stop) };
    case "move":
      return { kind: "move", value: moveEntry(job, job.stop) };
    case "trash":
      return trashEntry(job, job.stop).then((value) => ({ kind: "trash", value }));
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
