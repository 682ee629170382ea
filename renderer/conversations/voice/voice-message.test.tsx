// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { bridgeError, type ClientBridge } from "../../../app/bridge/client-bridge.ts";
import type { ConversationView } from "../../../app/bridge/conversation-views.ts";
import { HostProvider } from "../../host-context.tsx";
import { LanguageProvider } from "../../language.tsx";
import { createShownStore } from "../../state/store.ts";
import { message } from "../testing/items.ts";
import { VoiceMessage } from "./voice-message.tsx";

afterEach(cleanup);

test("a second press while a recording is being read opens it no second time", async () => {
  const reading = Promise.withResolvers<unknown>();
  const call = vi.fn().mockReturnValue(reading.promise);
  render(
    <HostProvider
      bridge={{ call } as unknown as ClientBridge}
      store={createShownStore("connected")}
    >
      <LanguageProvider language="en">
        <VoiceMessage
          item={message("spoken", 1, { text: "", content: "voice" })}
          voice={{ duration_s: 3, fault: null }}
          view={{ conversation_id: "talk" } as ConversationView}
        />
      </LanguageProvider>
    </HostProvider>,
  );
  const press = () => act(async () => void fireEvent.click(screen.getByTestId("voice-play")));
  await press();
  await press();
  expect(call).toHaveBeenCalledOnce();
  await act(async () => reading.reject(bridgeError("disconnected")));
  await press();
  expect(call).toHaveBeenCalledTimes(2);
});
