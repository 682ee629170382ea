import type { ReadFileArguments } from "../../app/contract/tools/read-file.ts";
import { type Tool, ToolFailure } from "../../app/execution/ports.ts";
import type { FileService } from "./file-service.ts";
import { folderPreflight, innermostRoot } from "./folder-preflight.ts";
import type { PathPlatform } from "./path-rules.ts";

/** `read_file` (contract §4). Result: `ReadFileResult`. */
export function readFileTool(files: FileService, platform: PathPlatform): Tool {
  return {
    available: () => true,
    preflight: (args, roots) =>
      folderPreflight((args as ReadFileArguments).path, roots, platform, "parent"),
    async run(args, { roots, signal }) {
      // The catalogue's schema has accepted `args` before any tool sees them (contract §2.4).
      const { path, offset = 0, length, encoding = "utf-8" } = args as ReadFileArguments;
      const root = innermostRoot(path, roots, platform);
      if (root === null) throw new ToolFailure("outside_roots");
      const slice = { rootPath: root.path, path, offset, encoding };
      const job = length === undefined ? slice : { ...slice, length };
      return { ...(await files.readSlice(job, signal)) };
    },
  };
}
