import { expect, test } from "vitest";
import type { ConsentCard } from "../../app/bridge/views.ts";
import { newRequestsFinder, requestAnnouncement } from "./new-requests.ts";

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

test("the announcement names agent and tool, and nothing of the arguments", () => {
  const card = {
    agent_name: "Ada",
    petname: null,
    tool_name: "read_file",
    arguments: { path: "/secret" },
  };
  expect(requestAnnouncement(card)).toEqual({ title: "Ada", body: "read_file" });
  expect(requestAnnouncement({ ...card, petname: "Archivist" }).title).toBe("Archivist");
});

test("a name that would hide, reverse or overflow is shown for what it is", () => {
  const { title } = requestAnnouncement({
    agent_name: "A\u202Ey\nz",
    petname: null,
    tool_name: "t",
  });
  expect(title).toBe("A\\u{202e}y\\u{a}z");
  const long = requestAnnouncement({
    agent_name: "é".repeat(500),
    petname: null,
    tool_name: "t",
  }).title;
  expect([...long]).toHaveLength(64);
});
