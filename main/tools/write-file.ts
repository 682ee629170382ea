import type { ArgumentsOf } from "../../app/contract/tools/tool-contract.ts";
import { writeFile } from "../../app/contract/tools/write-file.ts";
import type { Tool } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import { defineTool } from "./define-tool.ts";
import type { FileChanges } from "./files/file-service.ts";
import { groundOf } from "./files/paths/folder-preflight.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import type { WriteJob } from "./files/writing/change-jobs.ts";
import { changePreflight, placeOf } from "./files/writing/change-preflight.ts";

/** `write_file` (contract §4). */
export function writeFileTool(files: FileChanges, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  const jobOf = (
    args: ArgumentsOf<typeof writeFile>,
    roots: readonly Root[],
    seen: string | null,
  ): WriteJob => ({
    kind: "write",
    ...placeOf(args.path, roots, ground),
    bytes: Uint8Array.from(Buffer.from(args.content, args.encoding ?? "utf-8")),
    ifExists: args.if_exists ?? "replace",
    seen,
  });
  return defineTool(writeFile, {
    preflight: ({ path }, { roots }) => changePreflight(path, roots, ground, "content"),
    preview: async (args, by) => files.preview(jobOf(args, by.roots, null), by),
    run: async (args, by) => files.change(jobOf(args, by.roots, by.seen), by),
  });
}
