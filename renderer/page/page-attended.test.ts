// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reportAttention } from "./page-attended.ts";

let end = new AbortController();
beforeEach(() => {
  end = new AbortController();
  vi.useFakeTimers();
});
afterEach(() => {
  end.abort();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function reporting() {
  const call = vi.fn(async () => null);
  reportAttention({ call: call as never }, end.signal);
  return { reports: () => call.mock.calls.map(([, args]: unknown[]) => args), call };
}
const happens = (name: string): boolean => window.dispatchEvent(new Event(name));
const IN_VIEW = { in_view: true };

test("a page reports that it is in view when it begins, and each press on it", () => {
  const { reports } = reporting();
  happens("pointerdown");
  happens("pointerdown");
  expect(reports()).toEqual([IN_VIEW, IN_VIEW, IN_VIEW]);
});

test("moving and typing are reported now and then, not each time", () => {
  const { reports } = reporting();
  for (const use of ["pointermove", "keydown", "wheel"]) happens(use);
  expect(reports()).toHaveLength(1);
  vi.advanceTimersByTime(250);
  for (const use of ["pointermove", "keydown", "wheel"]) happens(use);
  expect(reports()).toHaveLength(2);
});

test("a page that is hidden says so, and nothing is reported after its end", () => {
  const { reports } = reporting();
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  end.abort();
  happens("pointerdown");
  expect(reports()).toEqual([IN_VIEW, { in_view: false }]);
});
