import type { ToolName } from "../../app/contract/catalogue.ts";
import type { Tool, ToolBox } from "../../app/execution/ports.ts";
import { readClipboardTool, writeClipboardTool } from "./clipboard.ts";
import { type FetchUrlOptions, fetchUrlTool } from "./fetch-url.ts";
import type { FileService } from "./file-service.ts";
import { getFileInfoTool } from "./get-file-info.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { type PathPlatform, pathPlatform } from "./path-rules.ts";
import type { PlatformServices } from "./platform-services.ts";
import { readFileTool } from "./read-file.ts";
import { searchFilesTool } from "./search-files.ts";
import { sendNotificationTool } from "./send-notification.ts";

export interface ToolBoxParts {
  readonly files: FileService;
  readonly platform: PlatformServices;
  /** Whose path rules hold; this machine's unless a test says otherwise. */
  readonly paths?: PathPlatform;
  readonly fetch?: FetchUrlOptions;
}

/** The tools this client has. A catalogue name that is missing here is `TOOL_UNAVAILABLE`. */
export function createToolBox(parts: ToolBoxParts): ToolBox {
  const { files, platform, paths = pathPlatform(process.platform) } = parts;
  const tools: ReadonlyMap<ToolName, Tool> = new Map<ToolName, Tool>([
    ["read_file", readFileTool(files, paths)],
    ["list_directory", listDirectoryTool(files, paths)],
    ["search_files", searchFilesTool(files, paths)],
    ["get_file_info", getFileInfoTool(files, paths)],
    ["read_clipboard", readClipboardTool(platform)],
    ["write_clipboard", writeClipboardTool(platform)],
    ["send_notification", sendNotificationTool(platform)],
    ["fetch_url", fetchUrlTool(parts.fetch)],
  ]);
  return { tool: (entry) => tools.get(entry.name) };
}
