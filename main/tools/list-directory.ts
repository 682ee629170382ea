import { listDirectory } from "../../app/contract/tools/list-directory.ts";
import type { Tool } from "../../app/execution/ports.ts";
import { defineTool } from "./define-tool.ts";
import type { FileService } from "./files/file-service.ts";
import { groundOf, readablePlace, readPreflight } from "./files/paths/folder-preflight.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import { refuseMissing } from "./files/refuse-missing.ts";

/** `list_directory` (contract §4). */
export function listDirectoryTool(files: FileService, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  return defineTool(listDirectory, {
    preflight: ({ path }, { roots }) => readPreflight(path, roots, ground, "itself"),
    preview: refuseMissing(files, platform),
    run: async (args, by) =>
      files.list({ ...args, ...readablePlace(args.path, by.roots, platform) }, by),
  });
}
