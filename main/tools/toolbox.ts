import type { ToolName } from "../../app/contract/catalogue.ts";
import type { Tool, ToolBox } from "../../app/execution/ports.ts";
import { readClipboardTool, writeClipboardTool } from "./clipboard.ts";
import { type FetchUrlOptions, fetchUrlTool } from "./fetch-url.ts";
import { FILE_TOOLS, type FileToolName } from "./file-tools.ts";
import type { FileService, Snapshots } from "./files/file-tool.ts";
import { type PathPlatform, pathPlatform } from "./files/paths/path-rules.ts";
import { getLocationTool } from "./get-location.ts";
import { type RunCommandOptions, runCommandTool } from "./run-command.ts";
import { type NotificationParts, sendNotificationTool } from "./send-notification.ts";

export interface ToolBoxParts extends NotificationParts {
  readonly files: FileService;
  /** Keeps what files hold before they are changed; absent: nothing is kept. */
  readonly snapshots?: Snapshots;
  /** Whose path rules apply. Default: this machine's. */
  readonly paths?: PathPlatform;
  readonly fetch: FetchUrlOptions;
  readonly command: RunCommandOptions;
}

/** Every tool of the catalogue. One that cannot work here and now reports that itself. */
export function createToolBox(parts: ToolBoxParts): ToolBox {
  const { platform, paths = pathPlatform(process.platform) } = parts;
  const tools: Readonly<Record<ToolName, Tool>> = {
    ...fileTools(parts, paths),
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

function fileTools(
  { files, snapshots }: ToolBoxParts,
  paths: PathPlatform,
): Readonly<Record<FileToolName, Tool>> {
  const entries = Object.entries(FILE_TOOLS).map(([name, tool]) => [
    name,
    tool.on(files, paths, snapshots),
  ]);
  return Object.fromEntries(entries);
}
