import type { AgentDetails } from "../../../app/bridge/agent-views.ts";

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
/** An agent with something of everything that the person can give. */
export const sampleAgent: AgentDetails = {
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
  hook_way: null,
  agent_version: "1.0.0",
  manifest_version: 1,
  manifest_bytes: 10,
  changed_since_review: false,
  grants: [
    { scope: scope("filesystem:read"), state: "granted", declared: null, reasons: [] },
    { scope: scope("network:http"), state: "revoked", declared: null, reasons: [] },
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
