import { isAbsolute, resolve } from "node:path";
import type { ToolName } from "../../../app/contract/catalogue.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../app/contract/json.ts";
import { parseStrictJson, strictJsonError } from "../../../app/contract/strict-json.ts";

/** Bytes of what a hook is handed; a call that the person is asked about is far smaller. */
const HOOK_INPUT_BYTES = 8 * 1024 * 1024;

const MARK = [0xef, 0xbb, 0xbf] as const;

/** Some agents put a byte order mark before the JSON, or two. */
export function withoutMarks(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (MARK.every((byte, at) => bytes[start + at] === byte)) start += MARK.length;
  return bytes.subarray(start);
}

/** Null: not what a hook sends. */
export function hookInput(bytes: Uint8Array): JsonValue {
  try {
    return parseStrictJson(withoutMarks(bytes), HOOK_INPUT_BYTES);
  } catch (error) {
    if (strictJsonError.is(error)) return null;
    throw error;
  }
}

/** Agents whose hooks we know; each asks in its own way. */
export const HOOK_AGENTS = ["claude-code", "codex", "cursor", "gemini", "goose", "vscode"] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];

/** What an agent is about to do by itself, as a call of the catalogue's tool that does the same. */
export interface HookQuestion {
  /** The agent's own name for its session. */
  readonly session: string;
  /** The agent's own name for this use of its tool; null: it has none. */
  readonly use: string | null;
  readonly tool: ToolName;
  readonly arguments: JsonObject;
}

/**
 * `unreadable`: not what this agent's hooks send; `unknown_tool`: a tool of the agent's that we cannot
 * show exactly.
 */
export type HookInput =
  | { readonly kind: "question"; readonly question: HookQuestion }
  | { readonly kind: "unreadable" | "unknown_tool" };

/** @param cwd null: the agent has no folder open */
type Reader = (
  input: JsonObject,
  cwd: string | null,
) => Pick<HookQuestion, "tool" | "arguments"> | null;

const text = (value: JsonValue | undefined): string | null =>
  typeof value === "string" ? value : null;

/** The first member that is there: agents name the same thing differently. */
const first = (input: JsonObject, ...names: readonly string[]): string | null =>
  names.map((name) => text(input[name])).find((value) => value !== null) ?? null;

const PATHS = ["file_path", "filePath", "absolute_path", "path"] as const;
const LISTED = ["dir_path", "path"] as const;
const CONTENTS = ["content", "contents", "file_text"] as const;
const OLD = ["old_string", "oldString", "old_str", "before"] as const;
const NEW = ["new_string", "newString", "new_str", "after"] as const;
const FOLDERS = ["cwd", "directory", "dir_path", "working_directory"] as const;
const PATCHES = ["command", "input", "patch"] as const;

/** Names of one thing. An agent reads the one it knows and ignores the others. */
const SYNONYMS: readonly (readonly string[])[] = [
  PATHS,
  LISTED,
  CONTENTS,
  [...OLD, "edits", "diff"],
  NEW,
  FOLDERS,
  PATCHES,
  ["command", "cmd"],
  ["url", "urls"],
];

/** Whether one thing has two values, of which the agent could use the one that is not shown. */
const isAmbiguous = (input: JsonObject): boolean =>
  SYNONYMS.some((names) => {
    const values = names.map((name) => input[name] ?? null).filter((value) => value !== null);
    return new Set(values).size > 1;
  });

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

/**
 * Agents hand what the model wrote to a shell; this is exactly what then runs.
 * @param own the agent's names of the folder; one with another name would be ignored by the agent
 */
const command =
  (...own: readonly string[]): Reader =>
  (input, cwd) => {
    const foreign = first(input, ...FOLDERS.filter((name) => !own.includes(name)));
    const directory = placed(cwd, first(input, ...own) ?? ".");
    const argv = argvOf(input.command ?? input.cmd);
    if (argv === null || directory === null || foreign !== null) return null;
    return { tool: "run_command", arguments: { argv, directory } };
  };

function argvOf(typed: JsonValue | undefined): string[] | null {
  if (typeof typed === "string") {
    return process.platform === "win32" ? ["cmd", "/c", typed] : ["sh", "-c", typed];
  }
  if (!Array.isArray(typed) || typed.length === 0) return null;
  const words = typed.map(text);
  return words.every((word) => word !== null) ? words : null;
}

const write: Reader = (input, cwd) => {
  const path = pathIn(input, cwd);
  const content = first(input, ...CONTENTS);
  if (path === null || content === null) return null;
  return { tool: "write_file", arguments: { path, content, if_exists: "replace" } };
};

const edit: Reader = (input, cwd) => {
  const path = pathIn(input, cwd);
  const edits = Array.isArray(input.edits) ? input.edits.map(editOf) : [editOf(input)];
  const all = edits.filter((each) => each !== null);
  if (path === null || all.length === 0 || all.length < edits.length) return null;
  return { tool: "edit_file", arguments: { path, edits: all } };
};

function editOf(value: JsonValue): JsonObject | null {
  if (!isJsonObject(value) || isAmbiguous(value)) return null;
  const old_text = first(value, ...OLD);
  const new_text = first(value, ...NEW);
  if (old_text === null || old_text === "" || new_text === null) return null;
  return { old_text, new_text, ...(isOfAll(value) ? { replace_all: true } : {}) };
}

/** `allow_multiple`, and before that `expected_replacements`: Gemini CLI. */
const isOfAll = ({ replace_all, replaceAll, allow_multiple, expected_replacements }: JsonObject) =>
  [replace_all, replaceAll, allow_multiple].includes(true) ||
  (typeof expected_replacements === "number" && expected_replacements > 1);

const read: Reader = (input, cwd) => {
  const path = pathIn(input, cwd);
  return path === null ? null : { tool: "read_file", arguments: { path } };
};

const list: Reader = (input, cwd) => {
  const path = placed(cwd, first(input, ...LISTED) ?? ".");
  return path === null ? null : { tool: "list_directory", arguments: { path } };
};

const fetchPage: Reader = (input) => {
  const url = text(input.url);
  return url === null ? null : { tool: "fetch_url", arguments: { url } };
};

/** VS Code fetches any number of pages at once; more than one cannot be shown. */
const fetchPages: Reader = ({ urls }, cwd) =>
  Array.isArray(urls) && urls[0] !== undefined && urls.length === 1
    ? fetchPage({ url: urls[0] }, cwd)
    : null;

/** A patch for several files is shown as what it is handed to. */
const patch: Reader = (input, cwd) => {
  const lines = first(input, ...PATCHES);
  if (lines === null || cwd === null) return null;
  return { tool: "run_command", arguments: { argv: ["apply_patch", lines], directory: cwd } };
};

/** One tool with a subcommand for each of what others have tools for. */
const textEditor: Reader = (input, cwd) => {
  switch (input.command) {
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

/** The agents' own names of their tools. What is not here is denied: it could not be shown exactly. */
const READERS: Readonly<Record<HookAgent, Readonly<Record<string, Reader>>>> = {
  "claude-code": {
    Bash: command(),
    Write: write,
    Edit: edit,
    MultiEdit: edit,
    Read: read,
    WebFetch: fetchPage,
  },
  codex: { Bash: command(), apply_patch: patch },
  cursor: {
    Shell: command("cwd", "working_directory"),
    Write: write,
    StrReplace: edit,
    Edit: edit,
    Read: read,
  },
  gemini: {
    run_shell_command: command("directory", "dir_path"),
    write_file: write,
    replace: edit,
    read_file: read,
    list_directory: list,
  },
  goose: {
    shell: command(),
    developer__shell: command(),
    developer__text_editor: textEditor,
    write,
    developer__write: write,
    edit,
    developer__edit: edit,
  },
  vscode: {
    run_in_terminal: command(),
    create_file: write,
    replace_string_in_file: edit,
    read_file: read,
    list_dir: list,
    fetch_webpage: fetchPages,
  },
};

/** The names for an agent's configuration: for these, and no others, it is to ask here. */
export const hookedTools = (agent: HookAgent): readonly string[] => Object.keys(READERS[agent]);

/** What a hook of this agent's was handed on its standard input. */
export function readHookInput(agent: HookAgent, input: JsonValue): HookInput {
  if (!isJsonObject(input)) return { kind: "unreadable" };
  const session = first(input, "session_id", "sessionId", "conversation_id");
  const tool_name = text(input.tool_name);
  const cwd = first(input, "cwd", "working_dir") ?? firstOf(input.workspace_roots);
  const isPlaced = cwd !== null || Array.isArray(input.workspace_roots);
  if (session === null || session === "" || tool_name === null || !isPlaced) {
    return { kind: "unreadable" };
  }
  const use = first(input, "tool_use_id", "toolUseId", "tool_call_id");
  const readers = READERS[agent];
  const reader = Object.hasOwn(readers, tool_name) ? readers[tool_name] : undefined;
  const found =
    isJsonObject(input.tool_input) && !isAmbiguous(input.tool_input)
      ? reader?.(input.tool_input, cwd)
      : null;
  return found == null
    ? { kind: "unknown_tool" }
    : { kind: "question", question: { session, use, ...found } };
}

const firstOf = (list: JsonValue | undefined): string | null =>
  Array.isArray(list) ? text(list[0]) : null;
