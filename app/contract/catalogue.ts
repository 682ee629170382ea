import { guardOf } from "./checked.ts";
import type { JsonObject } from "./json.ts";
import type { Sensitivity } from "./sensitivity.ts";
import { ownToolName } from "./tool-aliases.ts";
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
import type { ToolContract } from "./tools/tool-contract.ts";
import { writeFile } from "./tools/write-file.ts";

/**
 * The client's own view of a tool (contract §4). A manifest may be stricter than the catalogue,
 * never laxer: an agent that declares `read_file` under `notification:send` is refused.
 */
export interface CatalogueEntry {
  readonly name: ToolName;
  readonly scope: string;
  readonly leastSensitivity: Sensitivity;
  /** The client's own: a call has to pass its arguments as well as the manifest's. */
  readonly contract: ToolContract;
  /** Whether arguments pass the contract's schema. */
  readonly acceptsArguments: (args: JsonObject) => boolean;
  /** True for tools that see folders of the person's and need a root that contains their path. */
  readonly needsRoot: boolean;
}

type Row = readonly [scope: string, least: Sensitivity, contract: ToolContract];

const ROWS = {
  read_file: ["filesystem:read", "medium", readFile],
  list_directory: ["filesystem:read", "medium", listDirectory],
  search_files: ["filesystem:read", "medium", searchFiles],
  get_file_info: ["filesystem:read", "medium", getFileInfo],
  write_file: ["filesystem:write", "high", writeFile],
  edit_file: ["filesystem:write", "high", editFile],
  create_directory: ["filesystem:write", "high", createDirectory],
  move_file: ["filesystem:write", "high", moveFile],
  delete_file: ["filesystem:write", "high", deleteFile],
  read_clipboard: ["clipboard:read", "medium", readClipboard],
  write_clipboard: ["clipboard:write", "medium", writeClipboard],
  send_notification: ["notification:send", "low", sendNotification],
  fetch_url: ["network:http", "medium", fetchUrl],
  get_location: ["location:read", "high", getLocation],
  run_command: ["shell:exec", "high", runCommand],
} as const satisfies Record<string, Row>;

export type ToolName = keyof typeof ROWS;

function entryOf(name: ToolName): CatalogueEntry {
  const [scope, leastSensitivity, contract]: Row = ROWS[name];
  return {
    name,
    scope,
    leastSensitivity,
    contract,
    acceptsArguments: guardOf(contract.arguments),
    needsRoot: scope.startsWith("filesystem:"),
  };
}

export const CATALOGUE: ReadonlyMap<string, CatalogueEntry> = new Map(
  (Object.keys(ROWS) as ToolName[]).map((name) => [name, entryOf(name)]),
);

/** The catalogue's entry for a tool name or one of its aliases. */
export const catalogueEntry = (toolName: string): CatalogueEntry | undefined =>
  CATALOGUE.get(ownToolName(toolName));
