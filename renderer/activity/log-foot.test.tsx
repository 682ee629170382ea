// @vitest-environment jsdom
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { LogFoot } from "./log-foot.tsx";
import { type LogSession, type LogState, UNREAD_LOG } from "./log-session.ts";

afterEach(cleanup);

test.each([
  ["a search that is stopped by hand has ended", "searching", "idle"],
  ["a failed read is tried again", "failed", "reading"],
] as const)("the keyboard stays below the log when %s", (_what, before, after) => {
  const foot = (phase: LogState["phase"]) => (
    <LogFoot session={{} as LogSession} state={{ ...UNREAD_LOG, phase }} />
  );
  const { container, rerender } = drawInHost(foot(before));
  act(() => screen.getByRole("button").focus());
  rerender(foot(after));
  expect(screen.queryByRole("button")).toBeNull();
  expect(document.activeElement).toBe(container.firstElementChild);
});
