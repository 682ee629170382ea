import type { ConsentCard } from "../../app/bridge/views.ts";
import { visibleString } from "../text/visible-text.ts";

/** Longer names would push the other answers away. */
const SUBJECT_CHARS = 32;

/** Tools that do one thing to one file, and the argument that names it. */
const SUBJECTS = {
  read_file: "path",
  get_file_info: "path",
  write_file: "path",
  edit_file: "path",
  delete_file: "path",
  list_directory: "path",
  create_directory: "path",
} as const;
export type SubjectTool = keyof typeof SUBJECTS;

export interface ApprovalSubject {
  readonly tool: SubjectTool;
  /** For display only, beside the whole path above the buttons. */
  readonly name: string;
}

const isSubjectTool = (name: string): name is SubjectTool => Object.hasOwn(SUBJECTS, name);

/**
 * The one thing that an approval is about, for the button's own label; null where there is no
 * single one, or its name cannot be shown whole and unmistakably in a button.
 */
export function approvalSubject(
  card: Pick<ConsentCard, "tool_name" | "arguments">,
): ApprovalSubject | null {
  if (!isSubjectTool(card.tool_name)) return null;
  const path = card.arguments[SUBJECTS[card.tool_name]];
  if (typeof path !== "string") return null;
  const base = path.split(/[\\/]/).findLast((part) => part !== "") ?? "";
  if (base === "" || base === "." || base === "..") return null;
  const name = visibleString(base);
  return [...name].length > SUBJECT_CHARS ? null : { tool: card.tool_name, name };
}
