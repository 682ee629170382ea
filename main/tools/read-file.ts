import type { ReadFileArguments, ReadFileResult } from "../../app/contract/tools/read-file.ts";
import { type Tool, ToolFailure } from "../../app/execution/ports.ts";
import type { FileService } from "./files/file-service.ts";
import { innermostRoot } from "./files/paths/folder-preflight.ts";
import { groundOf, readPreflight } from "./files/paths/ground.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";

/** `read_file` (contract §4). Result: `ReadFileResult`. */
export function readFileTool(files: FileService, platform: PathPlatform): Tool {
  const ground = groundOf(files, platform);
  return {
    available: () => true,
    preflight: (args, { roots }) =>
      readPreflight((args as ReadFileArguments).path, roots, ground, "parent"),
    async run(args, { roots, signal }) {
      // The catalogue's schema has accepted `args` before any tool sees them (contract §2.4).
      const wanted = args as ReadFileArguments;
      const root = innermostRoot(wanted.path, roots, platform);
      if (root === null) throw new ToolFailure("outside_roots");
      return { ...(await read(files, root.path, wanted, signal)) };
    },
  };
}

function read(
  files: FileService,
  rootPath: string,
  args: ReadFileArguments,
  signal: AbortSignal,
): Promise<ReadFileResult> {
  const place = { rootPath, path: args.path };
  if ("line_start" in args || "line_count" in args) {
    const { line_start = 1, line_count } = args;
    const lines = { ...place, line_start };
    return files.readLines(line_count === undefined ? lines : { ...lines, line_count }, signal);
  }
  const { offset = 0, length, encoding = "utf-8" } = args as BytesArguments;
  const slice = { ...place, offset, encoding };
  return files.readSlice(length === undefined ? slice : { ...slice, length }, signal);
}

type BytesArguments = Extract<ReadFileArguments, { offset?: number }>;
