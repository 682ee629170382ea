// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Snapshot } from "../app/bridge/views.ts";
import { Pairings } from "./agents/pairing.tsx";
import { useHost } from "./host-context.tsx";
import { Content } from "./main-window.tsx";
import { PausedBanner } from "./parts/banners.tsx";
import { NoticesBar } from "./parts/notices-bar.tsx";
import { drawInHost } from "./testing/draw-in-host.tsx";
import { samplePairing } from "./testing/sample-pairing.ts";

afterEach(cleanup);

const noticeOf = (code: "store_unwritable" | "hub_unreachable") => ({ code, params: {} });

const FULL = {
  agents: [],
  keys: { pairings: [] },
  sample_agent: { state: "idle", code: null },
  paused: true,
  notices: [noticeOf("store_unwritable"), noticeOf("hub_unreachable")],
  pairings: [samplePairing("first"), samplePairing("second")],
} as unknown as Snapshot;

function drawContent() {
  const asked: string[] = [];
  const call = async (name: string) => void asked.push(name);
  const { store } = drawInHost(
    <Content>
      <PausedBanner />
      <NoticesBar />
      <Failing />
      <Pairings />
    </Content>,
    { call, snapshot: FULL },
  );
  return {
    asked,
    show: (part: Partial<Snapshot>) =>
      act(() => store.setState({ snapshot: { ...FULL, ...part } })),
  };
}

function Failing() {
  const { setFailure } = useHost();
  return <button type="button" data-testid="fail" onClick={() => setFailure("not_found")} />;
}

const firstButton = (testId: string) => {
  const [holder] = screen.getAllByTestId(testId);
  const button = holder?.closest("button") ?? holder?.querySelector("button");
  if (!button) throw new Error(`no button in ${testId}`);
  return button;
};

test.each<[string, Partial<Snapshot>]>([
  ["paused-resume", { paused: false }],
  ["notice", { notices: FULL.notices.slice(1) }],
  ["pairing-refuse", { pairings: FULL.pairings.slice(1) }],
  ["pairing-accept", { pairings: FULL.pairings.slice(1) }],
])(
  "once %s has done its work, the keyboard stays on the page, on nothing that a second press would do",
  (testId, after) => {
    const { show } = drawContent();
    const button = firstButton(testId);
    button.focus();
    show(after);
    expect(button.isConnected).toBe(false);
    expect(document.activeElement).toBe(screen.getByRole("main"));
  },
);

test("the keyboard stays on the page when a failure is dismissed", () => {
  drawContent();
  fireEvent.click(screen.getByTestId("fail"));
  const dismiss = firstButton("failure");
  dismiss.focus();
  fireEvent.click(dismiss);
  expect(dismiss.isConnected).toBe(false);
  expect(document.activeElement).toBe(screen.getByRole("main"));
});

test("an answer to a pairing is given once, and its button keeps the keyboard meanwhile", async () => {
  const { asked } = drawContent();
  const accept = firstButton("pairing-accept");
  fireEvent.click(accept);
  expect(asked).toEqual([]);
  await vi.waitFor(() => expect(accept.ariaDisabled).toBe("false"));
  accept.focus();
  fireEvent.click(accept);
  fireEvent.click(accept);
  expect(asked).toEqual(["pairing.answer"]);
  expect(accept.disabled).toBe(false);
});
