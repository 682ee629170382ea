// @vitest-environment jsdom
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { LogFoot } from "./log-foot.tsx";
import { type LogSession, type LogState, MOST_ROWS, UNREAD_LOG } from "./log-session.ts";
import { sampleRow } from "./testing/sample-log.ts";

afterEach(cleanup);

test.each([
  ["a search that is stopped by hand has ended", "searching", "idle"],
  ["a failed read is tried again", "failed", "reading"],
] as const)("the keyboard stays below the log when %s", (_what, before, after) => {
  const foot = (phase: LogState["phase"]) => (
    <LogFoot
      session={{} as LogSession}
      state={{ ...UNREAD_LOG, phase }}
      onOlder={() => undefined}
    />
  );
  const { container, rerender } = drawInHost(foot(before));
  act(() => screen.getByRole("button").focus());
  rerender(foot(after));
  expect(screen.queryByRole("button")).toBeNull();
  expect(document.activeElement).toBe(container.firstElementChild);
});

test("a list that is full leads to the lines before its last", () => {
  const rows = Array.from({ length: MOST_ROWS }, (_, at) => sampleRow(MOST_ROWS + 10 - at));
  const asked = vi.fn();
  const state: LogState = { ...UNREAD_LOG, rows, next: 11, phase: "idle" };
  drawInHost(<LogFoot session={{} as LogSession} state={state} onOlder={asked} />);
  act(() => screen.getByTestId("activity-older").click());
  expect(asked).toHaveBeenCalledWith(12);
});
