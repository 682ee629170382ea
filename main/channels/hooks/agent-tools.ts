import {
  type AskedCall,
  choices,
  command,
  edit,
  fetchPages,
  list,
  notebook,
  patch,
  plan,
  powerShell,
  type Reader,
  read,
  remove,
  search,
  textEditor,
  write,
} from "./read-tool.ts";

/** Agents whose hooks we know; each asks in its own way. */
export const HOOK_AGENTS = ["claude-code", "codex", "cursor", "gemini", "goose", "vscode"] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];

interface AgentTools {
  /** The agents' own names of their tools; any other is shown by its name, with all that it was given. */
  readonly readers: Readonly<Record<string, Reader>>;
  /** Tools that do nothing themselves, or whose every act is asked about by itself: only in the log. */
  readonly inner: ReadonlySet<string>;
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const TOOLS: Readonly<Record<HookAgent, AgentTools>> = {
  "claude-code": {
    readers: {
      Bash: command("sh"),
      PowerShell: powerShell,
      Write: write,
      Edit: edit,
      MultiEdit: edit,
      NotebookEdit: notebook,
      Read: read,
      NotebookRead: read,
      LS: list,
      Glob: search({ glob: "pattern" }),
      Grep: search({ glob: "glob", text: "pattern" }),
      WebFetch: fetchPages,
      ExitPlanMode: plan,
      AskUserQuestion: choices,
    },
    inner: set(
      "AskUserQuestion ExitPlanMode Task Agent TodoWrite TodoRead TaskCreate TaskGet TaskList TaskOutput TaskUpdate BashOutput AgentOutputTool EnterPlanMode ToolSearch",
    ),
  },
  codex: {
    readers: { Bash: command("powershell"), apply_patch: patch },
    inner: set("update_plan spawn_agent wait_agent close_agent list_agents"),
  },
  cursor: {
    readers: {
      Shell: command("powershell", "cwd", "working_directory"),
      Write: write,
      StrReplace: edit,
      Edit: edit,
      Delete: remove,
      Read: read,
      Grep: search({ glob: "glob", text: "pattern" }),
    },
    inner: set("Task TodoWrite"),
  },
  gemini: {
    readers: {
      run_shell_command: command("powershell", "directory", "dir_path"),
      write_file: write,
      replace: edit,
      read_file: read,
      list_directory: list,
      glob: search({ glob: "pattern" }),
      grep_search: search({ glob: "include_pattern", text: "pattern" }),
      search_file_content: search({ glob: "include", text: "pattern" }),
    },
    inner: set("write_todos complete_task enter_plan_mode"),
  },
  goose: {
    readers: {
      shell: command("cmd"),
      developer__shell: command("cmd"),
      developer__text_editor: textEditor,
      write,
      developer__write: write,
      edit,
      developer__edit: edit,
    },
    inner: set("todo__todo_write todo__write todo__read subagent__delegate"),
  },
  vscode: {
    readers: {
      run_in_terminal: command("powershell"),
      create_file: write,
      replace_string_in_file: edit,
      read_file: read,
      list_dir: list,
      file_search: search({ glob: "query" }),
      grep_search: search({ glob: "includePattern", text: "query" }),
      fetch_webpage: fetchPages,
    },
    inner: set("manage_todo_list runSubagent think"),
  },
};

/** Undefined: none that we know. */
export function readerOf(agent: HookAgent, tool: string): Reader | undefined {
  const { readers } = TOOLS[agent];
  return Object.hasOwn(readers, tool) ? readers[tool] : undefined;
}

export const isInner = (agent: HookAgent, tool: string): boolean => TOOLS[agent].inner.has(tool);

/** A question of Claude Code's to the person that could not be read: a yes would be no answer to it. */
export const isUnreadChoice = (tool: string, [call]: readonly AskedCall[]): boolean =>
  tool === "AskUserQuestion" && call?.tool !== "answer_question";

/** Agents whose own permission questions reach their hooks. */
export const OWN_DIALOGS: readonly HookAgent[] = ["claude-code", "codex"];

/** The agent whose hook before a tool can have it ask the person itself, whatever its own rules say. */
export const TOLD_TO_ASK: HookAgent = "claude-code";
