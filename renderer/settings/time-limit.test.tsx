// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { allowedSeconds, TimeoutSetting } from "./time-limit.tsx";

afterEach(cleanup);

test.each([
  ["30", 30],
  ["300", 300],
  ["29", null],
  ["301", null],
  ["45.5", null],
  ["", null],
  ["abc", null],
])("%j seconds", (typed, allowed) => {
  expect(allowedSeconds(typed)).toBe(allowed);
});

test("a number is saved when its field is left, before typing has paused", () => {
  const call = vi.fn(async () => null);
  drawInHost(<TimeoutSetting />, { call, snapshot: { settings: { consent_timeout_ms: 60_000 } } });
  const field = screen.getByTestId("settings-timeout");
  for (const value of ["29", "90"]) {
    fireEvent.change(field, { target: { value } });
    fireEvent.blur(field);
  }
  expect(call.mock.calls).toEqual([["settings.set", { consent_timeout_ms: 90_000 }]]);
});
