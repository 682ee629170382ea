import { describe, expect, it } from "vitest";
import { type ListedRequest, mayShareCard } from "./request-group.ts";

const FOLDER = "/home/ada/proj";
const reading = (differs: Partial<ListedRequest> = {}): ListedRequest => ({
  request_id: "r",
  agent_id: "agent-1",
  agent_name: "Notes",
  key_mark: { kind: "known", fingerprint: "5b1e" },
  conversation_id: "c",
  call_id: "r",
  tool_name: "read_file",
  description_i18n_key: "",
  description_fallback: null,
  arguments: { path: `${FOLDER}/a.md` },
  arguments_digest: "a".repeat(64),
  scope: "filesystem:read",
  scope_label_i18n_key: "",
  scope_label_fallback: null,
  sensitivity: "medium",
  subject: { kind: "folder", path: FOLDER },
  answers: ["deny", "allow_once", "allow_in_conversation"],
  root_wanted: null,
  host_wanted: null,
  preview: null,
  deny_subjects: [],
  open_folders: [],
  rule_subjects: [],
  decided_only: false,
  dialog_after: false,
  raised: [],
  line: null,
  leads_to: null,
  timeout_ms: null,
  folders: [FOLDER],
  ...differs,
});

describe("a card may be shared by", () => {
  it.each<[string, Partial<ListedRequest>]>([
    ["reading", {}],
    ["reading with more arguments, which its line shows", { arguments: { path: FOLDER, odd: 1 } }],
    ["a change", { tool_name: "edit_file", subject: null }],
    ["a command", { tool_name: "run_command", arguments: { line: "npm test", directory: FOLDER } }],
    ["a page", { tool_name: "fetch_url", arguments: { url: "https://example.org/a" } }],
    [
      "a tool of the agent's",
      { tool_name: "use_tool", arguments: { tool: "mcp__jira__get", input: {} } },
    ],
  ])("%s", (_, differs) => {
    expect(mayShareCard(reading(differs))).toBe(true);
  });

  it.each<[string, Partial<ListedRequest>]>([
    ["a high one", { sensitivity: "high", answers: ["deny", "allow_once", "always_deny"] }],
    [
      "one that asks for a folder",
      { root_wanted: { suggested_path: FOLDER, access: "read", file: null } },
    ],
    ["one that reaches the person's own network", { host_wanted: { host: "nas", port: 80 } }],
    ["one of a special path", { arguments: { path: `${FOLDER}/.ssh/id_ed25519` } }],
    ["one whose effect cannot be shown", { preview: { kind: "not_shown", word: "not_found" } }],
    ["one that the agent's own dialog waits behind", { dialog_after: true }],
    ["the clipboard", { tool_name: "write_clipboard", arguments: { text: "a" } }],
    ["a tool that nobody knows", { tool_name: "odd" }],
  ])("never %s", (_, differs) => {
    expect(mayShareCard(reading(differs))).toBe(false);
  });
});
