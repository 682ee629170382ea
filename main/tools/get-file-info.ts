import type { GetFileInfoArguments } from "../../app/contract/tools/get-file-info.ts";
import { type Tool, ToolFailure } from "../../app/execution/ports.ts";
import type { FileService } from "./files/file-service.ts";
import { innermostRoot } from "./files/paths/folder-preflight.ts";
import { groundOf, readPreflight } from "./files/paths/ground.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";

/** `get_file_info` (contract §4). Result: `GetFileInfoResult`. */
export function getFileInfoTool(files: FileService, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  return {
    available: () => true,
    preflight: (args, { roots }) =>
      readPreflight((args as GetFileInfoArguments).path, roots, ground, "parent"),
    async run(args, { roots, signal }) {
      // The catalogue's schema has accepted `args` before any tool sees them (contract §2.4).
      const { path } = args as GetFileInfoArguments;
      const root = innermostRoot(path, roots, platform);
      if (root === null) throw new ToolFailure("outside_roots");
      return { ...(await files.info({ rootPath: root.path, path }, signal)) };
    },
  };
}
