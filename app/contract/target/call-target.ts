import type { ToolName } from "../catalogue.ts";
import { ownToolName } from "../tool-aliases.ts";
import * as files from "./file-subjects.ts";
import * as others from "./other-subjects.ts";
import type { CallTarget, TargetedCall } from "./target.ts";

const SUBJECTS: Readonly<Record<ToolName, (call: TargetedCall) => CallTarget | null>> = {
  read_file: files.onePath("read"),
  list_directory: files.onePath("list"),
  get_file_info: files.onePath("inspect"),
  create_directory: files.onePath("make_folder"),
  search_files: files.searched,
  write_file: files.written,
  edit_file: files.edited,
  move_file: files.moved,
  delete_file: files.deleted,
  read_clipboard: others.clipboardRead,
  write_clipboard: others.copied,
  send_notification: others.notified,
  fetch_url: others.fetched,
  get_location: others.located,
  run_command: others.run,
};

const isOurs = (name: string): name is ToolName => Object.hasOwn(SUBJECTS, name);

/**
 * What a call is about. Arguments may have any shape: a call refused for them is shown too.
 */
export function callTarget(call: TargetedCall): CallTarget {
  const name = ownToolName(call.tool_name);
  return (isOurs(name) ? SUBJECTS[name](call) : null) ?? others.bare("other", []);
}
