import type { MoveFileArguments } from "../../app/contract/tools/move-file.ts";
import type { Tool } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import { groundOf } from "./files/paths/ground.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import type { MoveJob } from "./files/writing/change-jobs.ts";
import { movePreflight, wholePlaceOf } from "./files/writing/change-preflight.ts";
import type { FileChanges } from "./files/writing/change-service.ts";

/** `move_file` (contract §4). Result: `MoveFileResult`. */
export function moveFileTool(files: FileChanges, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  // The catalogue's schema has accepted the arguments before any tool sees them (contract §2.4).
  const jobOf = (
    args: MoveFileArguments,
    roots: readonly Root[],
    seen: string | null,
  ): MoveJob => ({
    kind: "move",
    from: wholePlaceOf(args.from, roots, ground),
    to: wholePlaceOf(args.to, roots, ground),
    overwrite: args.overwrite ?? false,
    seen,
  });
  return {
    available: () => true,
    preflight(args, { roots }) {
      const { from, to } = args as MoveFileArguments;
      return movePreflight(from, to, roots, ground);
    },
    preview: async (args, { roots, signal }) =>
      files.preview(jobOf(args as MoveFileArguments, roots, null), signal),
    async run(args, { roots, seen, signal }) {
      return { ...(await files.change(jobOf(args as MoveFileArguments, roots, seen), signal)) };
    },
  };
}
