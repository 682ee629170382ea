import { expect, test } from "vitest";
import { announcement } from "./announcement.ts";

const CARD = {
  request_id: "r1",
  agent_name: "Ada",
  petname: null,
  tool_name: "read_file",
  arguments: { path: "/secret" },
};

test("a request is announced by agent and tool, and by nothing of its arguments", () => {
  expect(announcement("en", CARD)).toEqual({ title: "Ada", body: "Read a file", replaces: "r1" });
  expect(announcement("en", { ...CARD, petname: "Archivist" }).title).toBe("Archivist");
});

test("a name that would hide, reverse or overflow is announced for what it is", () => {
  const titled = (agent_name: string) => announcement("en", { ...CARD, agent_name }).title;
  expect(titled("A\u202Ey")).toBe("A\\u{202e}y");
  expect([...titled("é".repeat(500))]).toHaveLength(64);
});
