import { describe, expect, it } from "vitest";
import { type GroupedRequest, mayAllowTogether, requestGroups } from "./request-group.ts";

const FOLDER = "/home/ada/proj";
const reading = (name: string, differs: Partial<GroupedRequest> = {}): GroupedRequest => ({
  request_id: name,
  agent_id: "agent-1",
  agent_name: "Notes",
  key_mark: { kind: "known", fingerprint: "5b1e" },
  conversation_id: "c",
  call_id: name,
  tool_name: "read_file",
  description_i18n_key: "",
  description_fallback: null,
  arguments: { path: `${FOLDER}/${name}` },
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

it("requests of one agent for one tool are a group, if there are two", () => {
  const one = reading("a.md");
  const two = reading("b.md", { subject: null });
  const alone = [
    reading("c.md", { agent_id: "agent-2" }),
    reading("d.md", { tool_name: "get_file_info" }),
  ];
  expect(requestGroups([one, ...alone, two])).toEqual([
    { agent_id: "agent-1", tool_name: "read_file", requests: [one, two] },
  ]);
});

describe("one press may allow", () => {
  it("medium reading in one folder", () => {
    expect(mayAllowTogether([reading("a.md"), reading("b.md")])).toBe(true);
  });

  it("medium fetching from one host", () => {
    const page = (name: string) =>
      reading(name, {
        tool_name: "fetch_url",
        arguments: { url: `https://example.org/${name}` },
        subject: { kind: "host", host: "example.org", port: 443 },
      });
    expect(mayAllowTogether([page("a"), page("b")])).toBe(true);
  });

  it.each<[string, Partial<GroupedRequest>]>([
    ["another agent's", { agent_id: "agent-2" }],
    ["another tool's", { tool_name: "list_directory" }],
    ["a high one", { sensitivity: "high", answers: ["deny", "allow_once", "always_deny"] }],
    ["one in another folder", { subject: { kind: "folder", path: "/home/ada" } }],
    ["one that sends or changes something", { subject: null }],
    [
      "one that asks for a folder",
      { root_wanted: { suggested_path: FOLDER, access: "read", file: null } },
    ],
    ["one that reaches the person's own network", { host_wanted: { host: "nas", port: 80 } }],
    ["one whose line would not say everything", { arguments: { path: FOLDER, odd: "more" } }],
    ["one of a special path", { arguments: { path: `${FOLDER}/.ssh/id_ed25519` } }],
  ])("no group with %s", (_, differs) => {
    expect(mayAllowTogether([reading("a.md"), reading("b.md", differs)])).toBe(false);
  });

  it("nothing that allows a whole permission, and no empty group", () => {
    const copying = reading("a", { tool_name: "write_clipboard", subject: { kind: "scope" } });
    expect(mayAllowTogether([copying, copying])).toBe(false);
    expect(mayAllowTogether([])).toBe(false);
  });
});
