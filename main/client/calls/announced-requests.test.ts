import { expect, test } from "vitest";
import type { ConsentCard } from "../../../app/bridge/consent-views.ts";
import { createI18n } from "../../../i18n/index.ts";
import { newRequestsFinder, requestAnnouncement } from "./announced-requests.ts";

const { t } = createI18n("en");
const CARD = {
  agent_id: "a",
  conversation_id: "c",
  folded: 0,
  agent_name: "Ada",
  petname: null,
  tool_name: "read_file",
  key_mark: { kind: "known", fingerprint: "5b1e 07c2 9d44 a0f3 8e61" },
  name_is_shared: false,
  name_mark: null,
  arguments: { path: "/secret" },
} as const;
const titleOf = (card: Partial<Parameters<typeof requestAnnouncement>[1]>) =>
  requestAnnouncement(t, { ...CARD, ...card }).title;

/** Only the id is looked at. */
const cards = (...ids: string[]) => ids.map((request_id) => ({ request_id }) as ConsentCard);
const idsOf = (found: readonly ConsentCard[]) => found.map((card) => card.request_id);

test("a request is new once: when it was not in the list before", () => {
  const newOnes = newRequestsFinder();
  expect(idsOf(newOnes(cards("a", "b")))).toEqual(["a", "b"]);
  expect(idsOf(newOnes(cards("a", "b", "c")))).toEqual(["c"]);
  expect(idsOf(newOnes(cards("b", "c")))).toEqual([]);
  expect(idsOf(newOnes([]))).toEqual([]);
});

test("a notification names agent and tool, and never the arguments", () => {
  const shown = requestAnnouncement(t, CARD);
  expect(shown).toMatchObject({ title: "Ada", body: "read_file", replaces: null, folded: 0 });
  expect(JSON.stringify(shown)).not.toContain("secret");
  expect(titleOf({ petname: "Archivist" })).toBe("Archivist");
});

test("requests over the minute's limit share a notification with their number and agent", () => {
  const first = requestAnnouncement(t, { ...CARD, folded: 1 });
  const last = requestAnnouncement(t, { ...CARD, folded: 12 });
  expect(last).toMatchObject({ title: "Ada", body: "12 more notifications within a minute" });
  expect([last.replaces, last.folded]).toEqual([first.replaces, 12]);
  const other = requestAnnouncement(t, { ...CARD, agent_id: "b", folded: 1 });
  expect(other.replaces).not.toBe(first.replaces);
});

test("a name that another agent has too is shown with the whole fingerprint", () => {
  const shared = { name_is_shared: true } as const;
  expect(titleOf(shared)).toBe("Ada (5b1e 07c2 9d44 a0f3 8e61)");
  expect(titleOf({ ...shared, agent_name: "é".repeat(500) })).toMatch(/… \(5b1e .* 8e61\)$/);
  expect(titleOf({ ...shared, key_mark: { kind: "in_doubt" } })).toBe(
    "Ada (key changed, not accepted)",
  );
});

test("a name with hidden or reversing characters, or too long, is shown safely", () => {
  expect(titleOf({ agent_name: "A\u202Ey\nz" })).toBe("A\\u{202e}y\\u{a}z");
  expect([...titleOf({ agent_name: "é".repeat(500) })]).toHaveLength(64);
});
