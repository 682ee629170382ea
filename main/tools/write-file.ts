import { type WriteFileResult, writeFile } from "../../app/contract/tools/write-file.ts";
import { type Preview, toolFailure } from "../../app/execution/ports.ts";
import { fileTool, type Seen } from "./files/file-tool.ts";
import { withParentInside } from "./files/opening/safe-open.ts";
import type { Place } from "./files/paths/folder-preflight.ts";
import type { SharedNumbers } from "./files/shared-numbers.ts";
import { changePreflight, placeOf } from "./files/writing/change-preflight.ts";
import { contentPreview } from "./files/writing/content-preview.ts";
import type { HeldFolder } from "./files/writing/held-folder.ts";
import {
  ABSENT,
  lookAtName,
  readPresent,
  requireWritable,
  sha256Of,
} from "./files/writing/present-file.ts";
import { isTemporaryName, type NewFile, putFile } from "./files/writing/put-file.ts";

/** `write_file` (contract §4). */
export const writeFileTool = fileTool(writeFile, {
  preflight: ({ path }, { roots }, ground) => changePreflight(path, roots, ground, "content"),
  job: (args, roots, ground, seen): WriteJob => ({
    ...placeOf(args.path, roots, ground),
    bytes: Uint8Array.from(Buffer.from(args.content, args.encoding ?? "utf-8")),
    ifExists: args.if_exists ?? "replace",
    seen,
  }),
  perform: (job, { stop }) => writeContent(job, stop),
  draw: previewWrite,
  changes: (job) => [job],
});

export interface WriteJob extends Place, Seen {
  readonly bytes: Uint8Array;
  readonly ifExists: "replace" | "fail";
}

/**
 * Writes a whole file (contract §4).
 * @throws ToolFailure
 */
export function writeContent(job: WriteJob, stop: SharedNumbers): WriteFileResult {
  return withParentInside(job.rootPath, job.path, ({ folder, name }) => {
    const like = lookAtPlain(folder, name, job.ifExists);
    const { bytes, seen } = job;
    try {
      putFile(folder, { name, bytes, like, over: overWhat(job) }, stop);
    } catch (error) {
      throw seen === ABSENT && job.ifExists === "replace" ? asChanged(error) : error;
    }
    return { created: like === null, bytes_written: bytes.length, sha256: sha256Of(bytes) };
  });
}

/** @throws ToolFailure */
export function previewWrite(job: WriteJob): Preview {
  return withParentInside(job.rootPath, job.path, ({ folder, name }) => {
    lookAtPlain(folder, name, job.ifExists);
    return contentPreview(readPresent(folder, name), job.bytes, "write");
  });
}

function overWhat({ seen, ifExists }: WriteJob): NewFile["over"] {
  if (ifExists === "fail" || seen === ABSENT) return "nothing";
  return seen === null ? "anything" : { mark: seen };
}

/** A file shown as new would now replace an existing one. */
const asChanged = (error: unknown): unknown =>
  toolFailure.is(error) && error.code === "already_exists"
    ? toolFailure("changed_since_shown")
    : error;

/** Null if nothing exists; only a regular file is allowed. */
function lookAtPlain(folder: HeldFolder, name: string, ifExists: WriteJob["ifExists"]) {
  if (isTemporaryName(name)) throw toolFailure("invalid_path");
  const stat = lookAtName(folder, name);
  if (stat === null) return null;
  if (stat.isDirectory()) throw toolFailure("is_a_directory");
  if (!stat.isFile()) throw toolFailure("not_a_regular_file");
  if (ifExists === "fail") throw toolFailure("already_exists");
  requireWritable(folder, name);
  return stat;
}
