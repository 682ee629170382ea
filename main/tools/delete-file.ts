import { deleteFile } from "../../app/contract/tools/delete-file.ts";
import type { ArgumentsOf } from "../../app/contract/tools/tool-contract.ts";
import type { Tool } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import { defineTool } from "./define-tool.ts";
import type { FileChanges } from "./files/file-service.ts";
import { groundOf } from "./files/paths/folder-preflight.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import type { TrashJob } from "./files/writing/change-jobs.ts";
import { changePreflight, wholePlaceOf } from "./files/writing/change-preflight.ts";

/** `delete_file` (contract §4): moves to the trash, or does nothing. */
export function deleteFileTool(files: FileChanges, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  const jobOf = (
    { path }: ArgumentsOf<typeof deleteFile>,
    roots: readonly Root[],
    seen: string | null,
  ): TrashJob => ({
    kind: "trash",
    ...wholePlaceOf(path, roots, ground),
    homeTrash: files.homeTrash,
    seen,
  });
  return defineTool(deleteFile, {
    preflight: ({ path }, { roots }) => changePreflight(path, roots, ground, "whole"),
    preview: async (args, by) => files.preview(jobOf(args, by.roots, null), by),
    run: async (args, by) => files.change(jobOf(args, by.roots, by.seen), by),
  });
}
