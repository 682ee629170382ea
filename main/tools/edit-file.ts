import { editFile } from "../../app/contract/tools/edit-file.ts";
import type { ArgumentsOf } from "../../app/contract/tools/tool-contract.ts";
import type { Tool } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import { defineTool } from "./define-tool.ts";
import type { FileChanges } from "./files/file-service.ts";
import { groundOf } from "./files/paths/folder-preflight.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import type { EditJob } from "./files/writing/change-jobs.ts";
import { changePreflight, placeOf } from "./files/writing/change-preflight.ts";

/** `edit_file` (contract §4). */
export function editFileTool(files: FileChanges, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  const jobOf = (
    { path, edits }: ArgumentsOf<typeof editFile>,
    roots: readonly Root[],
    seen: string | null,
  ): EditJob => ({ kind: "edit", ...placeOf(path, roots, ground), edits, seen });
  return defineTool(editFile, {
    preflight: ({ path }, { roots }) => changePreflight(path, roots, ground, "content"),
    preview: async (args, by) => files.preview(jobOf(args, by.roots, null), by),
    run: async (args, by) => files.change(jobOf(args, by.roots, by.seen), by),
  });
}
