import type { WriteFileArguments } from "../../app/contract/tools/write-file.ts";
import type { Tool } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import { groundOf } from "./files/paths/ground.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import type { WriteJob } from "./files/writing/change-jobs.ts";
import { changePreflight, placeOf } from "./files/writing/change-preflight.ts";
import type { FileChanges } from "./files/writing/change-service.ts";

/** `write_file` (contract §4). Result: `WriteFileResult`. */
export function writeFileTool(files: FileChanges, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  // The catalogue's schema has accepted the arguments before any tool sees them (contract §2.4).
  const jobOf = (
    args: WriteFileArguments,
    roots: readonly Root[],
    seen: string | null,
  ): WriteJob => ({
    kind: "write",
    ...placeOf(args.path, roots, ground),
    bytes: Uint8Array.from(Buffer.from(args.content, args.encoding ?? "utf-8")),
    ifExists: args.if_exists ?? "replace",
    seen,
  });
  return {
    available: () => true,
    preflight: (args, { roots }) =>
      changePreflight((args as WriteFileArguments).path, roots, ground, "content"),
    preview: async (args, { roots, signal }) =>
      files.preview(jobOf(args as WriteFileArguments, roots, null), signal),
    async run(args, { roots, seen, signal }) {
      return { ...(await files.change(jobOf(args as WriteFileArguments, roots, seen), signal)) };
    },
  };
}
