// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import { sampleAgent } from "../agents/testing/sample-agent.ts";
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

test("of twelve notices three stand on the page, and the rest behind a button", () => {
  const codes = ["key_changed", "update_ready", "history_full", "identity_restored"] as const;
  const tried_folders = Array.from({ length: 8 }, (_, at) => `/home/ada/${at}`);
  drawInHost(<NoticesBar />, {
    snapshot: {
      notices: codes.map((code) => ({ code, params: {} })),
      agents: [{ ...sampleAgent, tried_folders }],
    },
  });
  const shown = () => document.querySelectorAll(".notice").length;
  expect(shown()).toBe(3);
  const more = screen.getByTestId("notices-more");
  expect(more.textContent).toBe("and 9 more");
  fireEvent.click(more);
  expect([shown(), more.textContent]).toEqual([12, "Show fewer"]);
});

test("what keeps every call from running comes before everything else", () => {
  const codes = ["key_changed", "update_ready", "history_full", "store_unwritable"] as const;
  drawInHost(<NoticesBar />, {
    snapshot: { agents: [], notices: codes.map((code) => ({ code, params: {} })) },
  });
  expect(screen.getAllByTestId("notice")[0]?.dataset.code).toBe("store_unwritable");
});

test("of the agents that a notice is about three are named, and the rest behind a button", () => {
  const params = Object.fromEntries(["Ada", "Ben", "Cem", "Dan"].map((name) => [name, name]));
  drawInHost(<NoticesBar />, {
    snapshot: { agents: [], notices: [{ code: "agents_lost", params }] },
  });
  const notice = screen.getByTestId("notice");
  expect(notice.textContent).not.toContain("Dan");
  fireEvent.click(screen.getByTestId("notice-names-more"));
  expect(notice.textContent).toContain("Dan");
});
