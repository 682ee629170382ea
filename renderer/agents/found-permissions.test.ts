import { expect, test } from "vitest";
import type { AgentCard, QuietPeriodView } from "../../app/bridge/views.ts";
import type { RuleSubject } from "../../app/contract/rule-subject.ts";
import { foundPermissions } from "./found-permissions.ts";

const scope = (id: string) => ({
  id,
  label_i18n_key: "",
  label_fallback: null,
  sensitivity: "medium" as const,
  tools: [],
  needed: false,
  managed: null,
  said: { label: null, description: null, tools: [], more: 0 },
});
const agent: AgentCard = {
  agent_id: "agent-1",
  name: "Reader",
  petname: "Archivist",
  key_mark: { kind: "known", fingerprint: "ab12 cd34" },
  name_is_shared: false,
  name_mark: null,
  conversation_id: "conv-1",
  online: true,
  relation: "active",
  delivery: "websocket",
  agent_version: "1.0.0",
  manifest_version: 1,
  manifest_bytes: 10,
  changed_since_review: false,
  grants: [
    { scope: scope("filesystem:read"), state: "granted", declared: null },
    { scope: scope("network:http"), state: "revoked", declared: null },
  ],
  roots: [
    {
      root_id: "r",
      path: "/home/me/Notes",
      access: "read",
      only_file: false,
      ends_at: null,
      for_task: false,
    },
  ],
  tried_folders: [],
  hosts: [{ host: "printer.local", port: 631, added_at: 0 }],
  quiet_periods: [
    {
      agent_id: "agent-1",
      conversation_id: "conv-1",
      scope: "filesystem:read",
      subject: { kind: "folder", path: "/home/me/Notes/2026" },
      opened_at: 0,
      ends_at: 1,
      made_on: null,
    },
  ],
  rules: [
    {
      rule_id: "rule-1",
      agent_id: "agent-1",
      covers: "run_command",
      subject: { kind: "command", program: "/usr/bin/git", begins: ["log"] },
      effect: "deny",
      ends_at: null,
      for_task: false,
      answers_high: false,
      made_at: 0,
      made_on: null,
      last_used_at: null,
      uses: 0,
    },
  ],
};
const names = {
  scope: ({ id }: { id: string }) => (id === "filesystem:read" ? "Dateien lesen" : id),
  tool: () => "Befehl ausführen",
  about: (subject: RuleSubject) => (subject.kind === "command" ? subject.program : ""),
  covers: ({ subject }: QuietPeriodView) =>
    subject.kind === "folder" ? `Lesen in ${subject.path}` : "",
};
const counts = (typed: string) => {
  const found = foundPermissions(agent, typed, names);
  if (found === null) return null;
  const { grants, quiet_periods, rules, roots, hosts } = found;
  return [grants, quiet_periods, rules, roots, hosts].map(({ length }) => length);
};

test("an agent is found whole by its name, the person's name for it and its key", () => {
  for (const typed of ["reader", " ARCHIV ", "ab12", "12cd3"]) {
    expect(foundPermissions(agent, typed, names)).toBe(agent);
  }
});

test("a permission is found by its shown name and its id, with its quiet periods", () => {
  expect(counts("dateien")).toEqual([1, 1, 0, 0, 0]);
  expect(counts("filesystem:")).toEqual([1, 1, 0, 0, 0]);
});

test("rules, folders, hosts and what is quiet are found by what is shown of them", () => {
  expect(counts("befehl")).toEqual([0, 0, 1, 0, 0]);
  expect(counts("bin/git")).toEqual([0, 0, 1, 0, 0]);
  expect(counts("notes")).toEqual([0, 1, 0, 1, 0]);
  expect(counts("lesen in")).toEqual([0, 1, 0, 0, 0]);
  expect(counts("printer.local:631")).toEqual([0, 0, 0, 0, 1]);
});

test("what was taken back is not found, nor what is not there", () => {
  expect(counts("network")).toBeNull();
  expect(counts("elephant")).toBeNull();
});
