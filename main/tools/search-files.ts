import {
  SEARCH_FILES_MAX_RESULTS,
  type SearchFilesArguments,
} from "../../app/contract/tools/search-files.ts";
import { type Tool, ToolFailure } from "../../app/execution/ports.ts";
import type { FileService } from "./files/file-service.ts";
import { innermostRoot } from "./files/paths/folder-preflight.ts";
import { groundOf, readPreflight } from "./files/paths/ground.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";

/** `search_files` (contract §4). Result: `SearchFilesResult`. */
export function searchFilesTool(files: FileService, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  return {
    available: () => true,
    preflight: (args, { roots }) =>
      readPreflight((args as SearchFilesArguments).path, roots, ground, "itself"),
    async run(args, { roots, signal, progress }) {
      // The catalogue's schema has accepted `args` before any tool sees them (contract §2.4).
      const { path, glob, text, ...rest } = args as SearchFilesArguments;
      const root = innermostRoot(path, roots, platform);
      if (root === null) throw new ToolFailure("outside_roots");
      const { case_sensitive = true, include_hidden = false } = rest;
      const { max_results = SEARCH_FILES_MAX_RESULTS } = rest;
      const job = {
        rootPath: root.path,
        path,
        case_sensitive,
        include_hidden,
        max_results,
        ...(glob === undefined ? {} : { glob }),
        ...(text === undefined ? {} : { text }),
      };
      const found = await files.search(job, signal, (done) =>
        progress({ done, total: null, unit: "entries" }),
      );
      return { ...found, matches: found.matches.map((match) => ({ ...match })) };
    },
  };
}
