import { createDirectory } from "../../app/contract/tools/create-directory.ts";
import type { Tool } from "../../app/execution/ports.ts";
import { defineTool } from "./define-tool.ts";
import type { FileChanges } from "./files/file-service.ts";
import { groundOf } from "./files/paths/folder-preflight.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import { changePreflight, placeOf } from "./files/writing/change-preflight.ts";

/** `create_directory` (contract §4). */
export function createDirectoryTool(files: FileChanges, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  return defineTool(createDirectory, {
    preflight: ({ path }, { roots }) => changePreflight(path, roots, ground, "content"),
    async run({ path, parents = false }, by) {
      const place = placeOf(path, by.roots, ground);
      return files.change({ kind: "make_directory", ...place, parents }, by);
    },
  });
}
