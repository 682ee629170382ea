import { expect, test } from "vitest";
import { createI18n } from "../../i18n/index.ts";
import { announcement } from "./announcement.ts";

const CARD = {
  request_id: "r1",
  agent_id: "a1",
  folded: 0,
  agent_name: "Ada",
  petname: null,
  tool_name: "read_file",
  key_mark: { kind: "known", fingerprint: "5b1e 07c2 9d44 a0f3 8e61" },
  name_is_shared: false,
  name_mark: null,
  arguments: { path: "/secret" },
} as const;
const texts = { t: createI18n("en").t, language: "en" } as const;

test("a request is announced by agent and tool, without its arguments", () => {
  expect(announcement(texts, CARD)).toEqual({ title: "Ada", body: "Read a file", replaces: "r1" });
  expect(announcement(texts, { ...CARD, petname: "Archivist" }).title).toBe("Archivist");
});

test("what is too many in a minute is announced as how many, in the place of the one before", () => {
  expect(announcement(texts, { ...CARD, folded: 12 })).toEqual({
    title: "Ada",
    body: "12 more notifications within a minute",
    replaces: "folded:a1",
  });
});

test("a name that would hide, reverse or overflow is announced for what it is", () => {
  const titled = (agent_name: string) => announcement(texts, { ...CARD, agent_name }).title;
  expect(titled("A\u202Ey")).toBe("A\\u{202e}y");
  expect([...titled("é".repeat(500))]).toHaveLength(64);
});

test("a name that another agent has too is announced with the whole fingerprint", () => {
  expect(announcement(texts, { ...CARD, name_is_shared: true }).title).toBe(
    "Ada (5b1e 07c2 9d44 a0f3 8e61)",
  );
});
