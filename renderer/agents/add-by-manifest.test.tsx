// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { AddByManifest } from "./add-by-manifest.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)));
const pause = () => act(async () => vi.advanceTimersByTimeAsync(1_000));
const verdict = () => screen.getByTestId("new-manifest-verdict").textContent;

test("a check that failed can be tried again without a change of the text", async () => {
  const call = vi.fn().mockRejectedValueOnce(bridgeError("disconnected"));
  call.mockResolvedValueOnce({ problems: [], warnings: [], bytes: 2, asks: null });
  drawInHost(<AddByManifest />, { call });
  await press("add-by-manifest-open");
  fireEvent.change(screen.getByTestId("manifest-text"), { target: { value: "{}" } });
  await pause();
  expect(screen.getByTestId("read-failure").textContent).toContain(
    "The manifest could not be checked.",
  );
  await press("read-again");
  expect(verdict()).toBe("Checking…");
  await pause();
  expect(verdict()).toContain("valid");
  expect(screen.queryByTestId("read-failure")).toBe(null);
  expect(call.mock.calls.map(([, args]) => args)).toEqual([{ text: "{}" }, { text: "{}" }]);
});
