import { readClipboard, writeClipboard } from "./tools/clipboard.ts";
import { createDirectory } from "./tools/create-directory.ts";
import { deleteFile } from "./tools/delete-file.ts";
import { editFile } from "./tools/edit-file.ts";
import { fetchUrl } from "./tools/fetch-url.ts";
import { getFileInfo } from "./tools/get-file-info.ts";
import { getLocation } from "./tools/get-location.ts";
import { listDirectory } from "./tools/list-directory.ts";
import { moveFile } from "./tools/move-file.ts";
import { readFile } from "./tools/read-file.ts";
import { runCommand } from "./tools/run-command.ts";
import { searchFiles } from "./tools/search-files.ts";
import { sendNotification } from "./tools/send-notification.ts";
import type { OwnTool } from "./tools/tool-contract.ts";
import { writeFile } from "./tools/write-file.ts";

/** All tools, by scope. */
const TOOLS = [
  readFile,
  listDirectory,
  searchFiles,
  getFileInfo,
  writeFile,
  editFile,
  createDirectory,
  moveFile,
  deleteFile,
  readClipboard,
  writeClipboard,
  sendNotification,
  fetchUrl,
  getLocation,
  runCommand,
] as const;

export type ToolName = (typeof TOOLS)[number]["name"];
export type CatalogueEntry = OwnTool<ToolName>;

export const CATALOGUE: ReadonlyMap<string, CatalogueEntry> = new Map(
  TOOLS.map((tool) => [tool.name, tool]),
);

/** The catalogue's entry for a tool name or one of its aliases. */
export const catalogueEntry = (toolName: string): CatalogueEntry | undefined =>
  CATALOGUE.get(ownToolName(toolName));

/** Other names that manifests give tools of the catalogue. */
export const TOOL_ALIASES: ReadonlyMap<string, string> = new Map([["fetch_web_page", "fetch_url"]]);

/** The catalogue's name for an alias; any other name unchanged. */
export const ownToolName = (toolName: string): string => TOOL_ALIASES.get(toolName) ?? toolName;
