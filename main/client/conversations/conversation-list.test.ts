import { expect, test } from "vitest";
import type { ConversationView, MemberView } from "../../../app/bridge/conversation-views.ts";
import { withSharedTitles } from "./conversation-list.ts";

type Unmarked = Parameters<typeof withSharedTitles>[0][number];

const view = (
  conversation_id: string,
  kind: ConversationView["kind"],
  title: string | null,
  more: Partial<Unmarked> = {},
): Unmarked => ({
  conversation_id,
  kind,
  title,
  agent_ids: [],
  members: [],
  unread: 0,
  last_at: null,
  last_text: null,
  last_content: null,
  last_sender_id: null,
  offers: {
    text: false,
    streaming: false,
    artifacts: false,
    voice: false,
    groups: false,
    tools: false,
  },
  relation: "active",
  online: false,
  owned: false,
  ...more,
});
const member = (name: string): MemberView => ({
  member_id: name,
  is_agent: true,
  is_me: false,
  draws_artifacts: true,
  name,
  petname: null,
  name_is_borrowed: false,
  online: false,
  read_seq: 0,
});
const shared = (...views: readonly Unmarked[]) =>
  withSharedTitles(views)
    .filter(({ title_is_shared }) => title_is_shared)
    .map(({ conversation_id }) => conversation_id);

const COCO = view("coco", "direct", "Coco");
const CYRILLIC = "\u0421\u043e\u0441\u043e";

test.each([
  ["an agent", "Coco"],
  ["an agent, in other letters", CYRILLIC],
  ["a conversation with an agent, in English", "conversation  with COCO"],
  ["a conversation with an agent, in German", "Unterhaltung mit Coco"],
  ["Consentry itself", "C\u043ensentry"],
])("a group cannot pass for %s by its title", (_whom, title) => {
  const group = view("group", "group", title);
  expect(shared(COCO, group, view("system", "system", null))).toContain("group");
  expect(shared(COCO, group, view("system", "system", null))).toHaveLength(2);
});

test("a group cannot imitate an untitled one by using its members' names", () => {
  const untitled = view("a", "group", null, { members: [member("Ada"), member("Bob")] });
  expect(shared(untitled, view("b", "group", "ada, bob"))).toEqual(["a", "b"]);
});

test("agents with one name are distinguished by their keys, but a removed one has none", () => {
  expect(shared(COCO, view("other", "direct", "COCO"))).toEqual([]);
  const gone = view("gone", "direct", "Coco", { relation: "revoked" });
  expect(shared(COCO, gone)).toEqual(["coco", "gone"]);
});

test("distinct titles are not marked as shared, and misleading letters are reported", () => {
  const views = [COCO, view("plans", "group", "Plans"), view("c", "group", CYRILLIC)];
  expect(shared(COCO, view("plans", "group", "Plans"))).toEqual([]);
  expect(withSharedTitles(views).map(({ title_mark }) => title_mark)).toEqual([
    null,
    null,
    "looks_latin",
  ]);
});
