// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { MessageBubble } from "./message-bubble.tsx";
import { message } from "./testing/items.ts";

afterEach(cleanup);

test.each(["", " \n"])("a message that says nothing (%j) is called empty", (text) => {
  const view = { members: [] as const } as unknown as ConversationView;
  drawInHost(<MessageBubble item={message("empty", 1, { text })} view={view} named={false} />);
  expect(screen.getByText("Empty message").closest(".bubble")).not.toBeNull();
});

test("the messages of a removed agent bear the name that its conversation has", () => {
  const kept = { kind: "direct", title: "Builder", agent_ids: ["hGEzfTdF5G"], members: [] };
  const view = kept as unknown as ConversationView;
  drawInHost(
    <>
      <MessageBubble item={message("its", 1, { sender_id: "hGEzfTdF5G" })} view={view} named />
      <MessageBubble item={message("own", 2, { sender_id: "me", mine: true })} view={view} named />
    </>,
  );
  const [its, own] = screen.getAllByTestId("message");
  expect(its?.querySelector(".message-sender")?.textContent).toBe("Builder");
  expect(own?.getAttribute("aria-label")).toBe("You wrote");
});
