// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BridgeError, type ClientBridge } from "../../app/bridge/client-bridge.ts";
import { HostProvider, useAct } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { createShownStore } from "../state/store.ts";
import { FailureRead, NoticesBar } from "./notices-bar.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Failing() {
  const act = useAct();
  return (
    <button type="button" data-testid="fail" onClick={() => void act("updates.look", {})}>
      Look
    </button>
  );
}

test("each failure is read out, and then stands on the page once", async () => {
  const call = vi.fn();
  render(
    <HostProvider
      bridge={{ call } as unknown as ClientBridge}
      store={createShownStore("connected")}
    >
      <LanguageProvider language="en">
        <FailureRead />
        <NoticesBar />
        <Failing />
      </LanguageProvider>
    </HostProvider>,
  );
  const region = screen.getByRole("alert");
  for (const [code, text] of [
    ["not_found", "This is no longer there. It may have been answered already."],
    ["overloaded", "The computer is too busy right now. Try again in a moment."],
  ] as const) {
    call.mockRejectedValueOnce(new BridgeError(code));
    await act(async () => void fireEvent.click(screen.getByTestId("fail")));
    expect(region.textContent).toBe(text);
    act(() => void vi.runAllTimers());
    expect(region.textContent).toBe("");
    screen.getByText(text);
  }
});
