import { expect, test } from "vitest";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { createI18n } from "../../i18n/index.ts";
import { agentLabels } from "../text/agent-labels.ts";
import { conversationNames } from "./names.ts";

const { t } = createI18n("en");
const NOTHING_OFFERED = {
  text: false,
  streaming: false,
  artifacts: false,
  voice: false,
  groups: false,
  tools: false,
};
const conversation = (
  conversation_id: string,
  kind: ConversationView["kind"],
  title: string | null,
  agent_ids: readonly string[] = [],
  title_is_shared = false,
): ConversationView => ({
  conversation_id,
  kind,
  title,
  title_is_shared,
  title_mark: null,
  agent_ids,
  members: [],
  unread: 0,
  last_at: null,
  last_text: null,
  last_content: null,
  last_sender_id: null,
  offers: NOTHING_OFFERED,
  relation: "active",
  online: false,
  owned: false,
});
const agent = (agent_id: string, name: string, name_is_shared = false) => ({
  agent_id,
  name,
  petname: null,
  key_mark: { kind: "known", fingerprint: `${agent_id}000 0000 0000 0000 0000` } as const,
  name_is_shared,
  name_mark: null,
});
const names = (
  conversations: readonly ConversationView[],
  ...agents: readonly ReturnType<typeof agent>[]
) => [...conversationNames({ t, language: "en" }, agentLabels(t, agents), conversations).values()];

test("a conversation goes by its agent or its title, and shows what they would hide", () => {
  const shown = names(
    [
      conversation("c1", "direct", "Helper", ["a"]),
      conversation("c2", "group", "Plans\u202e"),
      conversation("system", "system", null),
    ],
    agent("a", "Helper"),
  );
  expect(shown).toEqual(["Conversation with Helper", "Plans\\u{202e}", "Consentry"]);
});

test("two agents of one name have conversations that are told apart by their keys", () => {
  const direct = [
    conversation("c1", "direct", "Helper", ["a"]),
    conversation("c2", "direct", "helper", ["b"]),
  ];
  expect(names(direct, agent("a", "Helper", true), agent("b", "helper", true))).toEqual([
    "Conversation with Helper (a000 0000 0000 0000 0000)",
    "Conversation with helper (b000 0000 0000 0000 0000)",
  ]);
});

test("a group cannot pass for another conversation by its title", () => {
  const alike = [
    conversation("c1234567", "direct", "Helper", ["a"], true),
    conversation("g1234567", "group", "conversation  with HELPER", [], true),
    conversation("h1234567", "group", "Other"),
  ];
  expect(names(alike, agent("a", "Helper"))).toEqual([
    "Conversation with Helper (c12345)",
    "conversation  with HELPER (g12345)",
    "Other",
  ]);
});
