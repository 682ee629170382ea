import { expect, test } from "vitest";
import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import { systemTexts } from "../client/bridge/host-state.ts";
import { trayAgents } from "./tray-menu.ts";

const t = systemTexts("en");
const agent = (agent_id: string, parts: Partial<AgentDetails> = {}): AgentDetails => ({
  agent_id,
  name: agent_id,
  petname: null,
  key_mark: { kind: "known", fingerprint: "aaaa bbbb" },
  name_is_shared: false,
  name_mark: null,
  conversation_id: null,
  online: true,
  relation: "active",
  delivery: "websocket",
  hook_way: null,
  agent_version: "1.0.0",
  manifest_version: 1,
  manifest_bytes: 1,
  changed_since_review: false,
  grants: [],
  roots: [],
  hosts: [],
  tried_folders: [],
  quiet_periods: [],
  rules: [],
  ...parts,
});

test("the tray lists agents that can be suspended, and marks those that are", () => {
  const agents = [
    agent("Ada"),
    agent("Bo", { relation: "suspended" }),
    agent("Cy", { relation: "revoked" }),
  ];
  expect(trayAgents(t, agents)).toEqual({
    shown: [
      { agentId: "Ada", label: "Ada", suspended: false },
      { agentId: "Bo", label: "Bo", suspended: true },
    ],
    more: false,
  });
});

test("a name in the tray hides nothing, is short, and has its key where it could be another's", () => {
  const [odd, long, twin] = trayAgents(t, [
    agent("Ada\u202e"),
    agent("x".repeat(200)),
    agent("twin", { name: "Ada", name_is_shared: true }),
  ]).shown;
  expect(odd?.label).toBe("Ada\\u{202e}");
  expect([...(long?.label ?? "")]).toHaveLength(64);
  expect(twin?.label).toBe("Ada (aaaa bbbb)");
});

test("twenty agents are in the tray; that there are more is said", () => {
  const many = Array.from({ length: 21 }, (_, index) => agent(`agent ${index}`));
  const { shown, more } = trayAgents(t, many);
  expect([shown.length, more]).toEqual([20, true]);
});
