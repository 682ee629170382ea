import { describe, expect, it } from "vitest";
import { AGENT_CATALOGUE } from "../../../app/contract/agent-catalogue.ts";
import type { JsonObject, JsonValue } from "../../../app/contract/json.ts";
import type { HookAgent } from "./agent-tools.ts";
import { hookInput, readHookInput } from "./hook-question.ts";
import { readHookReport } from "./hook-report.ts";

const asked = (tool_name: string, tool_input: JsonObject): JsonObject => ({
  session_id: "s-1",
  cwd: "/proj",
  hook_event_name: "PreToolUse",
  tool_name,
  tool_input,
});

const PATCH = `*** Begin Patch
*** Update File: a
@@
-x
+y
*** Add File: b
+new
*** Update File: c
*** Move to: ../etc/d
*** End Patch`;

const bytesOf = (input: JsonObject) => Buffer.from(JSON.stringify(input));

const ran = (line: string, directory = "/proj", also?: JsonObject) => ({
  tool: "run_command",
  arguments: { line, shell: "sh", directory, ...(also && { also }) },
});

const question = (...calls: readonly object[]) => ({
  session: "s-1",
  use: null as string | null,
  project: ["/proj"],
  calls,
  inner: false,
  choice: false,
  event: "before",
});

describe("what an agent is about to do is read as the call that does the same", () => {
  const rows: readonly (readonly [HookAgent, string, JsonObject, object])[] = [
    [
      "claude-code",
      "Bash",
      { command: "git status && ls", description: "x" },
      ran("git status && ls", "/proj", { description: "x" }),
    ],
    [
      "claude-code",
      "Write",
      { file_path: "/proj/a", content: "text" },
      { tool: "write_file", arguments: { path: "/proj/a", content: "text", if_exists: "replace" } },
    ],
    [
      "claude-code",
      "Edit",
      { file_path: "/proj/a", old_string: "x", new_string: "y", replace_all: "true" },
      {
        tool: "edit_file",
        arguments: {
          path: "/proj/a",
          edits: [{ old_text: "x", new_text: "y", replace_all: true }],
        },
      },
    ],
    [
      "claude-code",
      "MultiEdit",
      {
        file_path: "/proj/a",
        edits: [
          { old_string: "x", new_string: "y" },
          { old_string: "p", new_string: "" },
        ],
      },
      {
        tool: "edit_file",
        arguments: {
          path: "/proj/a",
          edits: [
            { old_text: "x", new_text: "y" },
            { old_text: "p", new_text: "" },
          ],
        },
      },
    ],
    [
      "claude-code",
      "Read",
      { file_path: "a" },
      { tool: "read_file", arguments: { path: "/proj/a" } },
    ],
    [
      "claude-code",
      "WebFetch",
      { url: "https://example.org/", prompt: "sum up" },
      {
        tool: "fetch_url",
        arguments: { url: "https://example.org/", also: { prompt: "sum up" } },
      },
    ],
    [
      "claude-code",
      "Edit",
      { file_path: "/proj/new", old_string: "", new_string: "text" },
      {
        tool: "write_file",
        arguments: { path: "/proj/new", content: "text", if_exists: "replace" },
      },
    ],
    [
      "claude-code",
      "NotebookEdit",
      { notebook_path: "/proj/a.ipynb", new_source: "1", cell_id: "c", edit_mode: "replace" },
      {
        tool: "edit_notebook",
        arguments: {
          path: "/proj/a.ipynb",
          source: "1",
          also: { cell_id: "c", edit_mode: "replace" },
        },
      },
    ],
    [
      "claude-code",
      "PowerShell",
      { command: "ls" },
      {
        tool: "run_command",
        arguments: { line: "ls", shell: "powershell", directory: "/proj" },
      },
    ],
    [
      "claude-code",
      "Glob",
      { pattern: "/etc/ssl/*.pem" },
      { tool: "search_files", arguments: { path: "/etc/ssl", glob: "/etc/ssl/*.pem" } },
    ],
    [
      "claude-code",
      "Glob",
      { pattern: "../*/secrets", path: "src" },
      { tool: "search_files", arguments: { path: "/proj", glob: "../*/secrets" } },
    ],
    [
      "claude-code",
      "Grep",
      { pattern: "TODO", glob: "*.ts", "-n": true },
      {
        tool: "search_files",
        arguments: { path: "/proj", glob: "*.ts", text: "TODO", also: { "-n": true } },
      },
    ],
    [
      "claude-code",
      "WebSearch",
      { query: "weather" },
      {
        tool: "use_tool",
        arguments: { tool: "WebSearch", input: { query: "weather" }, destructive: false },
      },
    ],
    [
      "claude-code",
      "mcp__linear__deleteIssue",
      { id: 5 },
      {
        tool: "use_tool",
        arguments: { tool: "mcp__linear__deleteIssue", input: { id: 5 }, destructive: true },
      },
    ],
    [
      "cursor",
      "Delete",
      { path: "/proj/a" },
      { tool: "delete_file", arguments: { path: "/proj/a" } },
    ],
    ["codex", "Bash", { command: "echo hi" }, ran("echo hi")],
    [
      "codex",
      "Bash",
      { command: ["bash", "-lc", "echo hi"] },
      { tool: "run_command", arguments: { argv: ["bash", "-lc", "echo hi"], directory: "/proj" } },
    ],
    [
      "codex",
      "apply_patch",
      { command: PATCH },
      {
        tool: "apply_patch",
        arguments: {
          patch: PATCH,
          paths: ["/proj/a", "/proj/b", "/proj/c", "/etc/d"],
          directory: "/proj",
        },
      },
    ],
    ["gemini", "run_shell_command", { command: "ls", dir_path: "sub" }, ran("ls", "/proj/sub")],
    ...[{ allow_multiple: true }, { expected_replacements: 2 }].map(
      (all) =>
        [
          "gemini",
          "replace",
          { file_path: "a", old_string: "x", new_string: "y", ...all },
          {
            tool: "edit_file",
            arguments: {
              path: "/proj/a",
              edits: [{ old_text: "x", new_text: "y", replace_all: true }],
            },
          },
        ] as const,
    ),
    ["gemini", "list_directory", {}, { tool: "list_directory", arguments: { path: "/proj" } }],
    [
      "goose",
      "developer__text_editor",
      { command: "str_replace", path: "/proj/a", old_str: "x", new_str: "y" },
      {
        tool: "edit_file",
        arguments: { path: "/proj/a", edits: [{ old_text: "x", new_text: "y" }] },
      },
    ],
    [
      "goose",
      "developer__edit",
      { path: "a", before: "x", after: "" },
      {
        tool: "edit_file",
        arguments: { path: "/proj/a", edits: [{ old_text: "x", new_text: "" }] },
      },
    ],
    [
      "goose",
      "developer__write",
      { path: "a", content: "text" },
      { tool: "write_file", arguments: { path: "/proj/a", content: "text", if_exists: "replace" } },
    ],
    ["vscode", "run_in_terminal", { command: "npm test" }, ran("npm test")],
    [
      "vscode",
      "fetch_webpage",
      { urls: ["https://example.org/"], query: "sum up" },
      { tool: "fetch_url", arguments: { url: "https://example.org/", also: { query: "sum up" } } },
    ],
    [
      "cursor",
      "Shell",
      { command: "npm install", working_directory: "/proj/sub" },
      ran("npm install", "/proj/sub"),
    ],
    [
      "cursor",
      "Write",
      { path: "/proj/a", contents: "text", content: "text" },
      { tool: "write_file", arguments: { path: "/proj/a", content: "text", if_exists: "replace" } },
    ],
  ];

  it.each(rows)("%s: %s %j", (agent, name, input, expected) => {
    const found = readHookInput(agent, asked(name, input));
    expect(found).toEqual({ kind: "question", question: question(expected) });
    const { calls } = (found as Extract<typeof found, { kind: "question" }>).question;
    for (const { tool, arguments: args } of calls) {
      expect(AGENT_CATALOGUE.get(tool)?.acceptsArguments(args)).toBe(true);
    }
  });

  it("with the folder that Cursor names in its own way", () => {
    const { cwd: _, session_id: __, ...input } = asked("Shell", { command: "ls" });
    const theirs = { ...input, conversation_id: "s-1", workspace_roots: ["/proj"] };
    expect(readHookInput("cursor", theirs)).toMatchObject({
      question: { project: ["/proj"], calls: [ran("ls")] },
    });
  });

  it("as Goose sends it: its own words for the folder and for the use of the tool", () => {
    const theirs = {
      event: "PreToolUse",
      session_id: "s-1",
      matcher_context: "developer__shell",
      tool_name: "developer__shell",
      tool_input: { command: "ls", timeout_secs: 5 },
      working_dir: "/proj",
      tool_call_id: "use-1",
    };
    const call = ran("ls", "/proj", { timeout_secs: 5 });
    const wanted = { ...question(call), use: "use-1" };
    expect(readHookInput("goose", theirs)).toEqual({ kind: "question", question: wanted });
    const done = { ...theirs, event: "PostToolUse", tool_output: "a.md" };
    expect(readHookReport("goose", bytesOf(done))).toMatchObject({
      question: wanted,
      status: "succeeded",
    });
  });

  it("as VS Code sends it, in its own spelling", () => {
    const theirs = {
      hookEventName: "PreToolUse",
      sessionId: "s-1",
      cwd: "/proj",
      tool_name: "run_in_terminal",
      tool_input: { command: "npm test" },
      tool_use_id: "use-1",
    };
    const wanted = { ...question(ran("npm test")), use: "use-1" };
    expect(readHookInput("vscode", theirs)).toEqual({ kind: "question", question: wanted });
    const done = { ...theirs, hookEventName: "PostToolUse", tool_response: "ok" };
    expect(readHookReport("vscode", bytesOf(done))).toMatchObject({
      question: wanted,
      status: "succeeded",
    });
  });
});

it("pages that VS Code fetches at once are a call each", () => {
  const urls = ["https://a.example/", "https://b.example/"];
  expect(readHookInput("vscode", asked("fetch_webpage", { urls }))).toEqual({
    kind: "question",
    question: question(...urls.map((url) => ({ tool: "fetch_url", arguments: { url } }))),
  });
  const none = asked("fetch_webpage", { urls: [] });
  expect(readHookInput("vscode", none)).toEqual({ kind: "unknown_tool" });
});

it.each([
  ["claude-code", "Task", { prompt: "do it" }],
  ["claude-code", "TodoWrite", { todos: [] }],
  ["codex", "update_plan", { plan: [] }],
] satisfies [HookAgent, string, JsonObject][])(
  "what %s does with a %s is not asked about",
  (agent, name, input) => {
    expect(readHookInput(agent, asked(name, input))).toMatchObject({ question: { inner: true } });
  },
);

it.each([
  ["claude-code", "Bash", { command: "make", dangerouslyDisableSandbox: true }],
  ["claude-code", "Bash", { command: "make", run_in_background: true, timeout: 9 }],
  ["cursor", "Shell", { command: "make", required_permissions: ["all"], sandbox: false }],
  ["gemini", "run_shell_command", { command: "make", is_background: true }],
  ["gemini", "run_shell_command", { command: "make", env: { PATH: "/tmp" } }],
] satisfies [HookAgent, string, JsonObject][])(
  "whatever else %s gives its %s is in the call: %j",
  (agent, name, { command, ...also }) => {
    expect(readHookInput(agent, asked(name, { command, ...also }))).toMatchObject({
      question: { calls: [{ arguments: { line: "make", also } }] },
    });
  },
);

it("what stands in a part of an edit and is not read is in the call", () => {
  const edits = [{ old_string: "x", new_string: "y", unless: "z" }];
  const input = asked("MultiEdit", { file_path: "/proj/a", edits });
  expect(readHookInput("claude-code", input)).toMatchObject({
    question: { calls: [{ arguments: { also: { edits } } }] },
  });
});

it.each([
  ["Write", { file_path: "/proj/a" }],
  ["Edit", { file_path: "/proj/a", old_string: "" }],
  ["MultiEdit", { file_path: "/proj/a", edits: [{ old_string: "x", new_string: "y" }, 5] }],
  ["Bash", { command: ["ls", 5] }],
  ["Bash", {}],
] satisfies [string, JsonObject][])("a %s with %j is not guessed at", (name, input) => {
  expect(readHookInput("claude-code", asked(name, input))).toEqual({ kind: "unknown_tool" });
});

const WRITES = { path: "/home/me/.bashrc", content: "text" };
const EDITS = { path: "/proj/a", before: "x", after: "y" };

it.each([
  ["goose", "developer__write", { ...WRITES, file_path: "/proj/README" }],
  ["goose", "developer__write", { ...WRITES, file_text: "other" }],
  ["goose", "developer__write", { ...WRITES, file_path: ["/proj/README"] }],
  ["goose", "developer__edit", { ...EDITS, old_string: "z" }],
  ["goose", "developer__edit", { ...EDITS, new_string: "z" }],
  ["goose", "developer__edit", { ...EDITS, edits: [{ old_string: "p", new_string: "q" }] }],
  ["goose", "developer__edit", { ...EDITS, diff: "--- a" }],
  [
    "claude-code",
    "MultiEdit",
    { file_path: "/proj/a", edits: [{ old_string: "x", old_str: "z", new_string: "y" }] },
  ],
  ["vscode", "read_file", { filePath: "/home/me/.ssh/id", file_path: "/proj/README" }],
  ["vscode", "list_dir", { path: "/home/me", dir_path: "/proj" }],
  ["vscode", "fetch_webpage", { urls: ["https://a.example/"], url: "https://b.example/" }],
  ["codex", "Bash", { command: "ls", cmd: "rm a" }],
  ["codex", "apply_patch", { command: "*** Begin Patch", input: "*** Other" }],
  ["cursor", "Shell", { command: "ls", cwd: "/proj", working_directory: "/home/me" }],
  ["claude-code", "Bash", { command: "rm -r build", cwd: "/tmp" }],
] satisfies [HookAgent, string, JsonObject][])(
  "%s: a %s with two values for one thing could do what is not shown: %j",
  (agent, name, input) => {
    expect(readHookInput(agent, asked(name, input))).toEqual({ kind: "unknown_tool" });
  },
);

it.each([
  ["goose", "developer__write", { path: "~/.bashrc", content: "text" }],
  ["claude-code", "Read", { file_path: "~" }],
  ["gemini", "list_directory", { dir_path: "~root" }],
  ["gemini", "run_shell_command", { command: "ls", dir_path: "~/sub" }],
  ["vscode", "create_file", { filePath: "file:///home/me/.bashrc", content: "text" }],
  ["vscode", "create_file", { filePath: "home/me/.bashrc?a:b", content: "text" }],
] satisfies [HookAgent, string, JsonObject][])(
  "%s: a %s whose path an agent may place elsewhere is not guessed at: %j",
  (agent, name, input) => {
    expect(readHookInput(agent, asked(name, input))).toEqual({ kind: "unknown_tool" });
  },
);

describe("what Cursor sends", () => {
  const read = { tool_name: "Read", tool_input: { file_path: "/home/me/p/x" } };
  const sent = {
    conversation_id: "c-1",
    hook_event_name: "preToolUse",
    workspace_roots: [],
    tool_use_id: "u-1",
  };

  it.each([0, 1, 2])("is read after %i byte order marks, as on Windows", (marks) => {
    const bytes = Buffer.from("\uFEFF".repeat(marks) + JSON.stringify({ ...sent, ...read }));
    expect(hookInput(bytes)).toEqual({ ...sent, ...read });
  });

  it("is read without an open folder where its paths are absolute", () => {
    expect(readHookInput("cursor", { ...sent, ...read })).toEqual({
      kind: "question",
      question: {
        session: "c-1",
        use: "u-1",
        project: [],
        calls: [{ tool: "read_file", arguments: { path: "/home/me/p/x" } }],
        inner: false,
        choice: false,
        event: "before",
      },
    });
    const shell = { tool_name: "Shell", tool_input: { command: "ls", cwd: "/home/me" } };
    expect(readHookInput("cursor", { ...sent, ...shell })).toMatchObject({ kind: "question" });
  });

  it.each([
    { tool_name: "Read", tool_input: { file_path: "x" } },
    { tool_name: "Shell", tool_input: { command: "ls" } },
    { tool_name: "Shell", tool_input: { command: "ls", cwd: "sub" } },
  ])("is not guessed at where they are not: %j", (relative) => {
    expect(readHookInput("cursor", { ...sent, ...relative })).toEqual({ kind: "unknown_tool" });
  });
});

it.each([[null], [[]], ["text"], [{}], [{ tool_name: "Bash", tool_input: { command: "ls" } }]])(
  "what no hook sends is unreadable: %j",
  (input: JsonValue) => {
    expect(readHookInput("claude-code", input)).toEqual({ kind: "unreadable" });
  },
);
