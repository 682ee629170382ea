// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ConversationView, MessageItem } from "../../app/bridge/conversation-views.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { Announcer } from "./announcer.tsx";
import { message } from "./testing/items.ts";

afterEach(cleanup);

function announce(parts: Partial<MessageItem>): string | null {
  const view = { members: [] as const } as unknown as ConversationView;
  drawInHost(<Announcer view={view} arrived={[message("arrived", 1, parts)]} />);
  return screen.getByRole("log", { name: "New messages" }).textContent;
}

test("what is read out of a long message ends with a whole character", () => {
  expect(announce({ text: `${"x".repeat(299)}😀 and more` })).toMatch(/x$/);
});

test("an agent's message is read out without its markup, and data as it is", () => {
  expect(announce({ text: "# Done\n\n**All** of [it](https://example.com)" })).toMatch(
    /: Done All of it$/,
  );
  cleanup();
  expect(announce({ content: "artifact", text: '{"a":"**b**"}' })).toContain('{"a":"**b**"}');
});

test.each([
  ["text", /: Empty message$/],
  ["unreadable", /: This message could not be opened\.$/],
] as const)("a message of %s without words is read out as such", (content, told) => {
  expect(announce({ content, text: "" })).toMatch(told);
});
