import type { ToolName } from "../../app/contract/catalogue.ts";
import type { Tool, ToolBox } from "../../app/execution/ports.ts";
import { readClipboardTool, writeClipboardTool } from "./clipboard.ts";
import { createDirectoryTool } from "./create-directory.ts";
import { deleteFileTool } from "./delete-file.ts";
import { editFileTool } from "./edit-file.ts";
import { type FetchUrlOptions, fetchUrlTool } from "./fetch-url.ts";
import type { FileService } from "./files/file-service.ts";
import { type PathPlatform, pathPlatform } from "./files/paths/path-rules.ts";
import { getFileInfoTool } from "./get-file-info.ts";
import { getLocationTool } from "./get-location.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { moveFileTool } from "./move-file.ts";
import { readFileTool } from "./read-file.ts";
import { type RunCommandOptions, runCommandTool } from "./run-command.ts";
import { searchFilesTool } from "./search-files.ts";
import { type NotificationParts, sendNotificationTool } from "./send-notification.ts";
import { writeFileTool } from "./write-file.ts";

export interface ToolBoxParts extends NotificationParts {
  readonly files: FileService;
  /** Whose path rules apply. Default: this machine's. */
  readonly paths?: PathPlatform;
  readonly fetch: FetchUrlOptions;
  readonly command: RunCommandOptions;
}

/** Every tool of the catalogue. One that cannot work here and now reports that itself. */
export function createToolBox(parts: ToolBoxParts): ToolBox {
  const { files, platform, paths = pathPlatform(process.platform) } = parts;
  const tools: Readonly<Record<ToolName, Tool>> = {
    read_file: readFileTool(files, paths),
    list_directory: listDirectoryTool(files, paths),
    search_files: searchFilesTool(files, paths),
    get_file_info: getFileInfoTool(files, paths),
    write_file: writeFileTool(files, paths),
    edit_file: editFileTool(files, paths),
    create_directory: createDirectoryTool(files, paths),
    move_file: moveFileTool(files, paths),
    delete_file: deleteFileTool(files, paths),
    read_clipboard: readClipboardTool(platform),
    write_clipboard: writeClipboardTool(platform),
    send_notification: sendNotificationTool(parts),
    get_location: getLocationTool(platform),
    fetch_url: fetchUrlTool(parts.fetch),
    run_command: runCommandTool(parts.command),
  };
  const byName = new Map<string, Tool>(Object.entries(tools));
  return { tool: ({ name }) => byName.get(name) };
}
