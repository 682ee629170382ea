import type { TSchema } from "typebox";
import { guardOf } from "./checked.ts";
import type { JsonObject } from "./json.ts";
import type { Sensitivity } from "./sensitivity.ts";
import { readClipboardSchema, writeClipboardSchema } from "./tools/clipboard.ts";
import { createDirectorySchema } from "./tools/create-directory.ts";
import { deleteFileSchema } from "./tools/delete-file.ts";
import { editFileSchema } from "./tools/edit-file.ts";
import { fetchUrlSchema } from "./tools/fetch-url.ts";
import { getFileInfoSchema } from "./tools/get-file-info.ts";
import { getLocationSchema } from "./tools/get-location.ts";
import { listDirectorySchema } from "./tools/list-directory.ts";
import { moveFileSchema } from "./tools/move-file.ts";
import { readFileSchema } from "./tools/read-file.ts";
import { runCommandSchema } from "./tools/run-command.ts";
import { searchFilesSchema } from "./tools/search-files.ts";
import { sendNotificationSchema } from "./tools/send-notification.ts";
import { writeFileSchema } from "./tools/write-file.ts";

/**
 * The client's own view of a tool (contract §4). A manifest may be stricter than the catalogue,
 * never laxer: an agent that declares `read_file` under `notification:send` is refused.
 */
export interface CatalogueEntry {
  readonly name: ToolName;
  readonly scope: string;
  readonly leastSensitivity: Sensitivity;
  /** The client's own argument schema; absent while no client implements the tool. */
  readonly argumentsSchema?: TSchema;
  /** Whether arguments pass that schema; true where there is none. */
  readonly acceptsArguments: (args: JsonObject) => boolean;
  /** True for tools that see folders of the person's and need a root that contains their path. */
  readonly needsRoot: boolean;
}

type Row = readonly [scope: string, least: Sensitivity, schema?: TSchema];

const ROWS = {
  read_file: ["filesystem:read", "medium", readFileSchema],
  list_directory: ["filesystem:read", "medium", listDirectorySchema],
  search_files: ["filesystem:read", "medium", searchFilesSchema],
  get_file_info: ["filesystem:read", "medium", getFileInfoSchema],
  write_file: ["filesystem:write", "high", writeFileSchema],
  edit_file: ["filesystem:write", "high", editFileSchema],
  create_directory: ["filesystem:write", "high", createDirectorySchema],
  move_file: ["filesystem:write", "high", moveFileSchema],
  delete_file: ["filesystem:write", "high", deleteFileSchema],
  read_clipboard: ["clipboard:read", "medium", readClipboardSchema],
  write_clipboard: ["clipboard:write", "medium", writeClipboardSchema],
  send_notification: ["notification:send", "low", sendNotificationSchema],
  fetch_url: ["network:http", "medium", fetchUrlSchema],
  get_location: ["location:read", "high", getLocationSchema],
  run_command: ["shell:exec", "high", runCommandSchema],
} as const satisfies Record<string, Row>;

export type ToolName = keyof typeof ROWS;

const ALIASES: ReadonlyMap<string, ToolName> = new Map([["fetch_web_page", "fetch_url"]]);

function entryOf(name: ToolName): CatalogueEntry {
  const [scope, leastSensitivity, argumentsSchema]: Row = ROWS[name];
  return {
    name,
    scope,
    leastSensitivity,
    acceptsArguments: argumentsSchema === undefined ? () => true : guardOf(argumentsSchema),
    needsRoot: scope.startsWith("filesystem:"),
    ...(argumentsSchema === undefined ? {} : { argumentsSchema }),
  };
}

export const CATALOGUE: ReadonlyMap<string, CatalogueEntry> = new Map(
  (Object.keys(ROWS) as ToolName[]).map((name) => [name, entryOf(name)]),
);

/** The catalogue's entry for a tool name or one of its aliases. */
export const catalogueEntry = (toolName: string): CatalogueEntry | undefined =>
  CATALOGUE.get(ALIASES.get(toolName) ?? toolName);
