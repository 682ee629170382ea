import type { Dirent, Stats } from "node:fs";
import { type GetFileInfoResult, getFileInfo } from "../../app/contract/tools/get-file-info.ts";
import type { DirectoryEntryType } from "../../app/contract/tools/list-directory.ts";
import { type Preview, type PreviewContext, toolFailure } from "../../app/execution/ports.ts";
import { type FileService, fileTool } from "./files/file-tool.ts";
import { withAnythingInside } from "./files/opening/safe-open.ts";
import {
  type Ground,
  innermostRoot,
  type Place,
  readablePlace,
  readPreflight,
} from "./files/paths/folder-preflight.ts";

/** `get_file_info` (contract §4). */
export const getFileInfoTool = fileTool(getFileInfo, {
  preflight: ({ path }, { roots }, ground) => readPreflight(path, roots, ground, "parent"),
  job: ({ path }, roots, { platform }) => readablePlace(path, roots, platform),
  perform: lookAt,
  look: (args, by, files, ground) => refuseMissing(args, by, files, ground),
});

/**
 * The person is not asked about reading what is not there (contract §4). Only in a folder that the agent was
 * given: of any other one it learns nothing before the person has answered.
 * @throws ToolFailure `not_found`
 */
export async function refuseMissing(
  { path }: { readonly path: string },
  by: PreviewContext,
  files: FileService,
  { platform }: Ground,
): Promise<Preview> {
  const root = innermostRoot(path, by.given, platform);
  if (root === null) return NOTHING;
  try {
    await files.run(getFileInfoTool, { rootPath: root.path, path }, by);
  } catch (error) {
    if (toolFailure.is(error) && error.code === "not_found") throw error;
    // Whatever else is wrong, the call itself says once it is allowed.
  }
  return NOTHING;
}

const NOTHING: Preview = { shown: null, seen: null };

/**
 * Describes one file or folder without opening or following it.
 * @throws ToolFailure
 */
export function lookAt(job: Place): GetFileInfoResult {
  return withAnythingInside(job.rootPath, job.path, describe);
}

/** `canRead` is called only for what a tool would open. */
export function describe(stat: Stats, canRead: () => boolean): GetFileInfoResult {
  const type = typeOf(stat);
  return {
    type,
    size_bytes: stat.size,
    modified_at: timeText(stat.mtimeMs),
    // File systems that do not record it return nothing, or 0.
    ...(stat.birthtimeMs > 0 ? { created_at: timeText(stat.birthtimeMs) } : {}),
    ...(process.platform === "win32" ? {} : { mode: modeText(stat.mode) }),
    is_readable: (type === "file" || type === "directory") && canRead(),
  };
}

export function typeOf(stat: Stats | Dirent): DirectoryEntryType {
  if (stat.isSymbolicLink()) return "symlink";
  if (stat.isDirectory()) return "directory";
  return stat.isFile() ? "file" : "other";
}

const modeText = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, "0");

/** ms since 1970. RFC 3339 has years of four digits; file systems can store times far beyond. */
const FIRST_MS = Date.parse("0000-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

const timeText = (ms: number): string =>
  new Date(Math.max(FIRST_MS, Math.min(LAST_MS, ms))).toISOString();
