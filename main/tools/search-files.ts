import { SEARCH_FILES_MAX_RESULTS, searchFiles } from "../../app/contract/tools/search-files.ts";
import type { Tool } from "../../app/execution/ports.ts";
import { defineTool } from "./define-tool.ts";
import type { FileService } from "./files/file-service.ts";
import { groundOf, readablePlace, readPreflight } from "./files/paths/folder-preflight.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import { refuseMissing } from "./files/refuse-missing.ts";

const DEFAULTS = {
  case_sensitive: true,
  include_hidden: false,
  max_results: SEARCH_FILES_MAX_RESULTS,
};

/** `search_files` (contract §4). */
export function searchFilesTool(files: FileService, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  return defineTool(searchFiles, {
    preflight: ({ path }, { roots }) => readPreflight(path, roots, ground, "itself"),
    preview: refuseMissing(files, platform),
    async run(args, by) {
      const job = { ...DEFAULTS, ...args, ...readablePlace(args.path, by.roots, platform) };
      return files.search(job, by, (done) => by.progress({ done, total: null, unit: "entries" }));
    },
  });
}
