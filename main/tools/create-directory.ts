import type { CreateDirectoryArguments } from "../../app/contract/tools/create-directory.ts";
import type { Tool } from "../../app/execution/ports.ts";
import { groundOf } from "./files/paths/ground.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import { changePreflight, placeOf } from "./files/writing/change-preflight.ts";
import type { FileChanges } from "./files/writing/change-service.ts";

/** `create_directory` (contract §4). Result: `CreateDirectoryResult`. */
export function createDirectoryTool(files: FileChanges, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  return {
    available: () => true,
    preflight: (args, { roots }) =>
      changePreflight((args as CreateDirectoryArguments).path, roots, ground, "content"),
    async run(args, { roots, signal }) {
      // The catalogue's schema has accepted `args` before any tool sees them (contract §2.4).
      const { path, parents = false } = args as CreateDirectoryArguments;
      const place = placeOf(path, roots, ground);
      return { ...(await files.change({ kind: "make_directory", ...place, parents }, signal)) };
    },
  };
}
