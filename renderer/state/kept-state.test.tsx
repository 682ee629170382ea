// @vitest-environment jsdom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { keptState } from "./kept-state.ts";

afterEach(cleanup);

const drawn = (useKept: ReturnType<typeof keptState<string>>, key: string) =>
  renderHook(() => useKept(key, "at first")).result;

test("a value is there again when its component is drawn anew, under its key alone", () => {
  const useKept = keptState<string>();
  const before = drawn(useKept, "a");
  expect(before.current[0]).toBe("at first");
  act(() => before.current[1]("written"));
  expect(before.current[0]).toBe("written");
  cleanup();
  expect(drawn(useKept, "a").current[0]).toBe("written");
  expect(drawn(useKept, "b").current[0]).toBe("at first");
  expect(drawn(keptState<string>(), "a").current[0]).toBe("at first");
});

test("what is set after its component is gone counts, and builds on the last value", () => {
  const useKept = keptState<string>();
  const before = drawn(useKept, "a");
  cleanup();
  before.current[1]("one");
  before.current[1]((text) => `${text}, two`);
  expect(drawn(useKept, "a").current[0]).toBe("one, two");
});

test("of very many, those set last are kept", () => {
  const useKept = keptState<string>();
  const set = drawn(useKept, "first").current[1];
  set("kept by being set again");
  for (let at = 0; at < 150; at += 1) drawn(useKept, `${at}`).current[1]("full");
  set("again");
  for (let at = 150; at < 300; at += 1) drawn(useKept, `${at}`).current[1]("full");
  expect(drawn(useKept, "first").current[0]).toBe("again");
  expect(drawn(useKept, "0").current[0]).toBe("at first");
});

test("the browser asks before the page is left while something unsent is kept", async () => {
  // Other tests leave values behind.
  vi.resetModules();
  const { askBeforeLeaving, keptState } = await import("./kept-state.ts");
  askBeforeLeaving();
  const isAsked = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  drawn(keptState<string>(), "a").current[1]("chosen");
  const [, set] = drawn(
    keptState<string>((text) => text !== ""),
    "a",
  ).current;
  expect(isAsked()).toBe(false);
  set("half a thought");
  cleanup();
  expect(isAsked()).toBe(true);
  set("");
  expect(isAsked()).toBe(false);
});
