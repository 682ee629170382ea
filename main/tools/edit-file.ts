import type { EditFileArguments } from "../../app/contract/tools/edit-file.ts";
import type { Tool } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import { groundOf } from "./files/paths/ground.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import type { EditJob } from "./files/writing/change-jobs.ts";
import { changePreflight, placeOf } from "./files/writing/change-preflight.ts";
import type { FileChanges } from "./files/writing/change-service.ts";

/** `edit_file` (contract §4). Result: `EditFileResult`. */
export function editFileTool(files: FileChanges, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  // The catalogue's schema has accepted the arguments before any tool sees them (contract §2.4).
  const jobOf = (
    args: EditFileArguments,
    roots: readonly Root[],
    seen: string | null,
  ): EditJob => ({
    kind: "edit",
    ...placeOf(args.path, roots, ground),
    edits: args.edits,
    seen,
  });
  return {
    available: () => true,
    preflight: (args, { roots }) =>
      changePreflight((args as EditFileArguments).path, roots, ground, "content"),
    preview: async (args, { roots, signal }) =>
      files.preview(jobOf(args as EditFileArguments, roots, null), signal),
    async run(args, { roots, seen, signal }) {
      return { ...(await files.change(jobOf(args as EditFileArguments, roots, seen), signal)) };
    },
  };
}
