// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import { useAct } from "../host-context.tsx";
import { drawInHost } from "../testing/draw-in-host.tsx";
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
  drawInHost(
    <>
      <FailureRead />
      <NoticesBar />
      <Failing />
    </>,
    { call },
  );
  const region = screen.getByRole("alert");
  for (const [code, text] of [
    ["not_found", "This is no longer there. It may have been answered already."],
    ["overloaded", "The computer is too busy right now. Try again in a moment."],
  ] as const) {
    call.mockRejectedValueOnce(bridgeError(code));
    await act(async () => void fireEvent.click(screen.getByTestId("fail")));
    expect(region.textContent).toBe(text);
    act(() => void vi.runAllTimers());
    expect(region.textContent).toBe("");
    screen.getByText(text);
  }
});
