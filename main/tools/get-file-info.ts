import type { Dirent, Stats } from "node:fs";
import { type GetFileInfoResult, getFileInfo } from "../../app/contract/tools/get-file-info.ts";
import type { DirectoryEntryType } from "../../app/contract/tools/list-directory.ts";
import type { Tool } from "../../app/execution/ports.ts";
import { defineTool } from "./define-tool.ts";
import type { InfoJob } from "./files/file-jobs.ts";
import type { FileService } from "./files/file-service.ts";
import { withAnythingInside } from "./files/opening/safe-open.ts";
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

/**
 * Describes one file or folder without opening or following it.
 * @throws ToolFailure
 */
export function lookAt(job: Omit<InfoJob, "kind">): GetFileInfoResult {
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
