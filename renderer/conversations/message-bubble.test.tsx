// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { createShownStore } from "../state/store.ts";
import { MessageBubble } from "./message-bubble.tsx";
import { message } from "./testing/items.ts";

afterEach(cleanup);

test.each(["", " \n"])("a message that says nothing (%j) is called empty", (text) => {
  const view = { members: [] as const } as unknown as ConversationView;
  render(
    <HostProvider bridge={{} as ClientBridge} store={createShownStore("connected")}>
      <LanguageProvider language="en">
        <MessageBubble item={message("empty", 1, { text })} view={view} named={false} />
      </LanguageProvider>
    </HostProvider>,
  );
  expect(screen.getByText("Empty message").closest(".bubble")).not.toBeNull();
});
