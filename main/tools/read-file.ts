import { type LinesArguments, readFile } from "../../app/contract/tools/read-file.ts";
import type { ArgumentsOf } from "../../app/contract/tools/tool-contract.ts";
import type { Tool } from "../../app/execution/ports.ts";
import { defineTool } from "./define-tool.ts";
import type { FileService } from "./files/file-service.ts";
import { groundOf, readablePlace, readPreflight } from "./files/paths/folder-preflight.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import { refuseMissing } from "./files/refuse-missing.ts";

/** `read_file` (contract §4). */
export function readFileTool(files: FileService, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  return defineTool(readFile, {
    preflight: ({ path }, { roots }) => readPreflight(path, roots, ground, "parent"),
    preview: refuseMissing(files, platform),
    async run(args, by) {
      const place = readablePlace(args.path, by.roots, platform);
      return inLines(args)
        ? files.readLines({ line_start: 1, ...args, ...place }, by)
        : files.readSlice({ offset: 0, encoding: "utf-8", ...args, ...place }, by);
    },
  });
}

const inLines = (args: ArgumentsOf<typeof readFile>): args is LinesArguments =>
  "line_start" in args || "line_count" in args;
