import { createDirectoryTool } from "./create-directory.ts";
import { deleteFileTool } from "./delete-file.ts";
import { editFileTool } from "./edit-file.ts";
import type { FileTool } from "./files/file-tool.ts";
import { getFileInfoTool } from "./get-file-info.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { moveFileTool } from "./move-file.ts";
import { readFileTool } from "./read-file.ts";
import { searchFilesTool } from "./search-files.ts";
import { writeFileTool } from "./write-file.ts";

/** The tools whose work the file worker does. */
export const FILE_TOOLS = {
  read_file: readFileTool,
  list_directory: listDirectoryTool,
  search_files: searchFilesTool,
  get_file_info: getFileInfoTool,
  write_file: writeFileTool,
  edit_file: editFileTool,
  create_directory: createDirectoryTool,
  move_file: moveFileTool,
  delete_file: deleteFileTool,
} as const satisfies Readonly<Record<string, FileTool>>;

export type FileToolName = keyof typeof FILE_TOOLS;
