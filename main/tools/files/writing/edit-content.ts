import {
  EDIT_FILE_MAX_BYTES,
  type EditFileResult,
} from "../../../../app/contract/tools/edit-file.ts";
import { type Preview, ToolFailure } from "../../../../app/execution/ports.ts";
import { textOf } from "../../text-of.ts";
import { withParentInside } from "../opening/safe-open.ts";
import type { StopFlag } from "../stop-flag.ts";
import { applyEdits, type Edited } from "./apply-edits.ts";
import type { EditJob } from "./change-jobs.ts";
import { contentPreview } from "./content-preview.ts";
import type { HeldFolder } from "./held-folder.ts";
import { isTemporaryName } from "./leftovers.ts";
import { type PresentFile, readPresent, requireWritable, sha256Of } from "./present-file.ts";
import { putFile } from "./put-file.ts";

/**
 * Replaces texts in a file (contract §4). The file must not change between being read and being
 * replaced.
 * @throws ToolFailure
 */
export function editContent(job: EditJob, stop: StopFlag): EditFileResult {
  return withParentInside(job.rootPath, job.path, ({ folder, name }) => {
    const present = presentText(folder, name);
    if (job.seen !== null && job.seen !== present.mark) {
      throw new ToolFailure("changed_since_shown");
    }
    const { replacements, bytes } = edit(present, job);
    const { stat: like, mark } = present;
    putFile(folder, { name, bytes, like, over: { mark } }, stop);
    return { replacements, bytes_written: bytes.length, sha256: sha256Of(bytes) };
  });
}

/** @throws ToolFailure */
export function previewEdit(job: EditJob): Preview {
  return withParentInside(job.rootPath, job.path, ({ folder, name }) => {
    const present = presentText(folder, name);
    return contentPreview(present, edit(present, job).bytes, "edit");
  });
}

interface PresentText extends PresentFile {
  readonly text: string;
}

function presentText(folder: HeldFolder, name: string): PresentText {
  if (isTemporaryName(name)) throw new ToolFailure("invalid_path");
  const present = readPresent(folder, name);
  if (present === null) throw new ToolFailure("not_found");
  requireWritable(folder, name);
  if (present.bytes === null) throw new ToolFailure("too_large");
  const text = textOf(present.bytes);
  if (text === null) throw new ToolFailure("not_text");
  return { ...present, text };
}

function edit(
  { text }: PresentText,
  { edits }: EditJob,
): Pick<Edited, "replacements"> & { readonly bytes: Uint8Array } {
  const edited = applyEdits(text, edits);
  const bytes = new TextEncoder().encode(edited.text);
  if (bytes.length > EDIT_FILE_MAX_BYTES) throw new ToolFailure("too_large");
  return { replacements: edited.replacements, bytes };
}
