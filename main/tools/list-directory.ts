import type { ListDirectoryArguments } from "../../app/contract/tools/list-directory.ts";
import { type Tool, ToolFailure } from "../../app/execution/ports.ts";
import type { FileService } from "./files/file-service.ts";
import { innermostRoot } from "./files/paths/folder-preflight.ts";
import { groundOf, readPreflight } from "./files/paths/ground.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";

/** `list_directory` (contract §4). Result: `ListDirectoryResult`. */
export function listDirectoryTool(files: FileService, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  return {
    available: () => true,
    preflight: (args, { roots }) =>
      readPreflight((args as ListDirectoryArguments).path, roots, ground, "itself"),
    async run(args, { roots, signal }) {
      // The catalogue's schema has accepted `args` before any tool sees them (contract §2.4).
      const { path, after, limit } = args as ListDirectoryArguments;
      const root = innermostRoot(path, roots, platform);
      if (root === null) throw new ToolFailure("outside_roots");
      const job = {
        rootPath: root.path,
        path,
        ...(after === undefined ? {} : { after }),
        ...(limit === undefined ? {} : { limit }),
      };
      const listed = await files.list(job, signal);
      return { ...listed, entries: listed.entries.map((entry) => ({ ...entry })) };
    },
  };
}
