import { moveFile } from "../../app/contract/tools/move-file.ts";
import type { ArgumentsOf } from "../../app/contract/tools/tool-contract.ts";
import type { Tool } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import { defineTool } from "./define-tool.ts";
import type { FileChanges } from "./files/file-service.ts";
import { groundOf } from "./files/paths/folder-preflight.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import type { MoveJob } from "./files/writing/change-jobs.ts";
import { movePreflight, wholePlaceOf } from "./files/writing/change-preflight.ts";

/** `move_file` (contract §4). */
export function moveFileTool(files: FileChanges, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  const jobOf = (
    { from, to, overwrite = false }: ArgumentsOf<typeof moveFile>,
    roots: readonly Root[],
    seen: string | null,
  ): MoveJob => ({
    kind: "move",
    from: wholePlaceOf(from, roots, ground),
    to: wholePlaceOf(to, roots, ground),
    overwrite,
    seen,
  });
  return defineTool(moveFile, {
    preflight: ({ from, to }, { roots }) => movePreflight(from, to, roots, ground),
    preview: async (args, by) => files.preview(jobOf(args, by.roots, null), by),
    run: async (args, by) => files.change(jobOf(args, by.roots, by.seen), by),
  });
}
