import type { DeleteFileArguments } from "../../app/contract/tools/delete-file.ts";
import type { Tool } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import { groundOf } from "./files/paths/ground.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import type { TrashJob } from "./files/writing/change-jobs.ts";
import { changePreflight, wholePlaceOf } from "./files/writing/change-preflight.ts";
import type { FileChanges } from "./files/writing/change-service.ts";

/** `delete_file` (contract §4): to the trash, or not at all. Result: `DeleteFileResult`. */
export function deleteFileTool(files: FileChanges, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  // The catalogue's schema has accepted the arguments before any tool sees them (contract §2.4).
  const jobOf = (
    args: DeleteFileArguments,
    roots: readonly Root[],
    seen: string | null,
  ): TrashJob => ({
    kind: "trash",
    ...wholePlaceOf(args.path, roots, ground),
    homeTrash: files.homeTrash,
    seen,
  });
  return {
    available: () => true,
    preflight: (args, { roots }) =>
      changePreflight((args as DeleteFileArguments).path, roots, ground, "whole"),
    preview: async (args, { roots, signal }) =>
      files.preview(jobOf(args as DeleteFileArguments, roots, null), signal),
    async run(args, { roots, seen, signal }) {
      return { ...(await files.change(jobOf(args as DeleteFileArguments, roots, seen), signal)) };
    },
  };
}
