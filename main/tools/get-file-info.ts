import { getFileInfo } from "../../app/contract/tools/get-file-info.ts";
import type { Tool } from "../../app/execution/ports.ts";
import { defineTool } from "./define-tool.ts";
import type { FileService } from "./files/file-service.ts";
import { groundOf, readablePlace, readPreflight } from "./files/paths/folder-preflight.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import { refuseMissing } from "./files/refuse-missing.ts";

/** `get_file_info` (contract §4). */
export function getFileInfoTool(files: FileService, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  return defineTool(getFileInfo, {
    preflight: ({ path }, { roots }) => readPreflight(path, roots, ground, "parent"),
    preview: refuseMissing(files, platform),
    run: async ({ path }, by) => files.info(readablePlace(path, by.roots, platform), by),
  });
}
