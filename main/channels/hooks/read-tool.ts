import { isAbsolute, resolve } from "node:path";
import type { AgentToolName } from "../../../app/contract/agent-catalogue.ts";
import { AskedQuestions } from "../../../app/contract/asked-questions.ts";
import { guardOf } from "../../../app/contract/checked.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../app/contract/json.ts";

/** A use of a tool of the agent's own, as a call of the agent catalogue's (contract §4). */
export type AskedCall = { readonly tool: string; readonly arguments: JsonObject };

/**
 * Reads the input of one tool. Null: we could not show exactly what it would do.
 * @param cwd null: the agent has no folder open
 */
export type Reader = (input: JsonObject, cwd: string | null) => readonly AskedCall[] | null;

const text = (value: JsonValue | undefined): string | null =>
  typeof value === "string" ? value : null;

/** The first member that is there: agents name the same thing differently. */
export const first = (input: JsonObject, ...names: readonly string[]): string | null =>
  names.map((name) => text(input[name])).find((value) => value !== null) ?? null;

const PATHS = ["file_path", "filePath", "absolute_path", "notebook_path", "path"] as const;
const LISTED = ["dir_path", "path"] as const;
const CONTENTS = ["content", "contents", "file_text"] as const;
const OLD = ["old_string", "oldString", "old_str", "before"] as const;
const NEW = ["new_string", "newString", "new_str", "after"] as const;
const FOLDERS = ["cwd", "directory", "dir_path", "working_directory"] as const;
const PATCHES = ["command", "input", "patch"] as const;
const COMMANDS = ["command", "cmd"] as const;
const URLS = ["url", "urls"] as const;
const ALL = ["replace_all", "replaceAll", "allow_multiple", "expected_replacements"] as const;

/** Names of one thing. An agent reads the one it knows and ignores the others. */
const SYNONYMS: readonly (readonly string[])[] = [
  PATHS,
  LISTED,
  CONTENTS,
  [...OLD, "edits", "diff"],
  NEW,
  FOLDERS,
  PATCHES,
  COMMANDS,
  URLS,
];

/** Whether one thing has two values, of which the agent could use the one that is not shown. */
export const isAmbiguous = (input: JsonObject): boolean =>
  SYNONYMS.some((names) => {
    const values = names.map((name) => input[name] ?? null).filter((value) => value !== null);
    return new Set(values).size > 1;
  });

/** One call, with whatever else the agent gave its tool, which is never dropped. */
function asked(
  tool: AgentToolName,
  args: JsonObject,
  input: JsonObject,
  known: readonly string[],
): readonly AskedCall[] {
  const left = Object.entries(input).filter(([name]) => !known.includes(name));
  const also = left.length === 0 ? {} : { also: Object.fromEntries(left) };
  return [{ tool, arguments: { ...args, ...also } }];
}

/**
 * Null: some agents read this path as another one, such as one in the home folder or a URI; or it is relative to
 * a folder that is not known.
 */
function placed(cwd: string | null, path: string): string | null {
  if (isAbsolute(path)) return resolve(path);
  return cwd === null || path.startsWith("~") || path.includes(":") ? null : resolve(cwd, path);
}

const pathIn = (input: JsonObject, cwd: string | null): string | null => {
  const path = first(input, ...PATHS);
  return path === null || path === "" ? null : placed(cwd, path);
};

type Shell = "sh" | "powershell" | "cmd";

/** A line that PowerShell reads on any system. */
export const powerShell: Reader = (input, cwd) =>
  cwd === null || typeof input.command !== "string" || input.command === ""
    ? null
    : asked(
        "run_command",
        { line: input.command, shell: "powershell", directory: cwd },
        input,
        COMMANDS,
      );

/**
 * Agents hand what the model wrote to a shell; this is exactly what then runs.
 * @param onWindows the shell that reads it there; elsewhere it is one of the family of `sh`
 * @param own the agent's names of the folder; one with another name would be ignored by the agent
 */
export const command =
  (onWindows: Shell, ...own: readonly string[]): Reader =>
  (input, cwd) => {
    const foreign = first(input, ...FOLDERS.filter((name) => !own.includes(name)));
    const directory = placed(cwd, first(input, ...own) ?? ".");
    const typed = typedIn(input.command ?? input.cmd, onWindows);
    if (typed === null || directory === null || foreign !== null) return null;
    return asked("run_command", { ...typed, directory }, input, [...COMMANDS, ...own]);
  };

function typedIn(typed: JsonValue | undefined, onWindows: Shell): JsonObject | null {
  if (typeof typed === "string") {
    const shell = process.platform === "win32" ? onWindows : "sh";
    return typed === "" ? null : { line: typed, shell };
  }
  if (!Array.isArray(typed) || typed.length === 0) return null;
  const argv = typed.map(text);
  return argv.every((word) => word !== null) ? { argv } : null;
}

export const write: Reader = (input, cwd) => {
  const path = pathIn(input, cwd);
  const content = first(input, ...CONTENTS);
  if (path === null || content === null) return null;
  const args = { path, content, if_exists: "replace" };
  return asked("write_file", args, input, [...PATHS, ...CONTENTS]);
};

export const edit: Reader = (input, cwd) => {
  const path = pathIn(input, cwd);
  const known = [...PATHS, ...OLD, ...NEW, ...ALL, "edits"];
  if (path === null) return null;
  if (!Array.isArray(input.edits) && first(input, ...OLD) === "") {
    // Of a file that is not there yet.
    const content = first(input, ...NEW);
    const args = { path, content, if_exists: "replace" };
    return content === null ? null : asked("write_file", args, input, known);
  }
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  const all = edits.map(editOf).filter((each) => each !== null);
  if (all.length === 0 || all.length < edits.length) return null;
  const isWhole = !Array.isArray(input.edits) || input.edits.every(saysNoMore);
  const shown = isWhole ? known : known.filter((name) => name !== "edits");
  return asked("edit_file", { path, edits: all }, input, shown);
};

const saysNoMore = (value: JsonValue): boolean =>
  isJsonObject(value) &&
  Object.keys(value).every((name) => [...OLD, ...NEW, ...ALL].some((known) => known === name));

function editOf(value: JsonValue): JsonObject | null {
  if (!isJsonObject(value) || isAmbiguous(value)) return null;
  const old_text = first(value, ...OLD);
  const new_text = first(value, ...NEW);
  if (old_text === null || old_text === "" || new_text === null) return null;
  return { old_text, new_text, ...(isOfAll(value) ? { replace_all: true } : {}) };
}

/** `allow_multiple`, and before that `expected_replacements`: Gemini CLI. Some agents take a word for a yes. */
const isOfAll = ({ replace_all, replaceAll, allow_multiple, expected_replacements }: JsonObject) =>
  [replace_all, replaceAll, allow_multiple].some((each) => each === true || each === "true") ||
  (typeof expected_replacements === "number" && expected_replacements > 1);

export const notebook: Reader = (input, cwd) => {
  const path = pathIn(input, cwd);
  const source = text(input.new_source) ?? (input.edit_mode === "delete" ? "" : null);
  if (path === null || source === null) return null;
  return asked("edit_notebook", { path, source }, input, [...PATHS, "new_source"]);
};

const onePath =
  (tool: "read_file" | "delete_file"): Reader =>
  (input, cwd) => {
    const path = pathIn(input, cwd);
    return path === null ? null : asked(tool, { path }, input, PATHS);
  };
export const read = onePath("read_file");
export const remove = onePath("delete_file");

export const list: Reader = (input, cwd) => {
  const path = placed(cwd, first(input, ...LISTED) ?? ".");
  return path === null ? null : asked("list_directory", { path }, input, LISTED);
};

/** What a pattern of names begins with that is no pattern: it may lead out of the folder. */
const leadOf = (glob: string): string => /^(?:[^*?[\]{}!]*[\\/])?/.exec(glob)?.[0] ?? "";

/** @param named which member is the pattern of names, and which the text that is looked for */
export const search =
  (named: { readonly glob: string; readonly text?: string }): Reader =>
  (input, cwd) => {
    const glob = text(input[named.glob]);
    const sought = named.text === undefined ? null : text(input[named.text]);
    const folder = placed(cwd, first(input, ...LISTED) ?? ".");
    if (folder === null || (glob === null && sought === null)) return null;
    const path = placed(folder, leadOf(glob ?? "") || ".");
    if (path === null) return null;
    const args = {
      path,
      ...(glob === null ? {} : { glob }),
      ...(sought === null ? {} : { text: sought }),
    };
    return asked("search_files", args, input, [...LISTED, named.glob, named.text ?? named.glob]);
  };

/** Several pages are several calls: each is of a host of its own. */
export const fetchPages: Reader = (input) => {
  const urls = Array.isArray(input.urls) ? input.urls.map(text) : [text(input.url)];
  if (urls.length === 0 || !urls.every((url) => url !== null && url !== "")) return null;
  return urls.flatMap((url) => asked("fetch_url", { url }, input, URLS));
};

const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/gm;

/** Every file of a patch as Codex writes it. */
export const patch: Reader = (input, cwd) => {
  const lines = first(input, ...PATCHES);
  if (lines === null || cwd === null) return null;
  const found = [...lines.matchAll(PATCHED)].map(([, path = ""]) => placed(cwd, path));
  const paths = found.filter((path) => path !== null);
  if (paths.length === 0 || paths.length < found.length) return null;
  const args = { patch: lines, paths: [...new Set(paths)], directory: cwd };
  return asked("apply_patch", args, input, PATCHES);
};

/** A plan that the person is to approve. */
export const plan: Reader = (input) =>
  text(input.plan)
    ? asked("approve_plan", { plan: input.plan ?? "" }, input, ["plan"])
    : anyTool("ExitPlanMode", input);

const areQuestions = guardOf(AskedQuestions);

/** Questions to the person with options to choose from. Two of one text could not be told apart. */
export const choices: Reader = (input) => {
  const { questions } = input;
  const isClear =
    areQuestions(questions) &&
    new Set(questions.map(({ question }) => question)).size === questions.length;
  return isClear
    ? asked("answer_question", { questions }, input, ["questions"])
    : anyTool("AskUserQuestion", input);
};

/** One tool with a subcommand for each of what others have tools for. */
export const textEditor: Reader = ({ command: verb, ...input }, cwd) => {
  switch (verb) {
    case "view":
      return read(input, cwd);
    case "write":
    case "create":
      return write(input, cwd);
    case "str_replace":
    case "edit_file":
      return edit(input, cwd);
    default:
      return null;
  }
};

/** Words of names that say of a tool that it destroys something. */
const DESTROYS = new Set(
  "delete remove destroy drop erase wipe purge truncate terminate uninstall revoke reset".split(
    " ",
  ),
);

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, "_")
    .toLowerCase()
    .split(/[^a-z\d]+/);

/** A tool that none of ours resembles, with everything that it was given. */
export const anyTool = (tool: string, input: JsonObject): readonly AskedCall[] => [
  {
    tool: "use_tool",
    arguments: { tool, input, destructive: wordsOf(tool).some((word) => DESTROYS.has(word)) },
  },
];
