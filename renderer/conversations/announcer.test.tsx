// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { createShownStore } from "../state/store.ts";
import { Announcer } from "./announcer.tsx";
import { message } from "./testing/items.ts";

afterEach(cleanup);

test("what is read out of a long message ends with a whole character", () => {
  const view = { members: [] as const } as unknown as ConversationView;
  const item = message("long", 1, { text: `${"x".repeat(299)}😀 and more` });
  render(
    <HostProvider bridge={{} as ClientBridge} store={createShownStore("connected")}>
      <LanguageProvider language="en">
        <Announcer view={view} arrived={[item]} />
      </LanguageProvider>
    </HostProvider>,
  );
  expect(screen.getByRole("log").textContent).toMatch(/x$/);
});
