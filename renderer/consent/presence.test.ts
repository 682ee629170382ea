import { expect, test } from "vitest";
import { NOT_PRESENT, type Presence, presentAfter } from "./presence.tsx";

const of = (presence: Presence, ...ids: readonly string[]) => ({ presence, ids });

test("a request docks at the edge where somebody types, and is in front otherwise", () => {
  expect(presentAfter(NOT_PRESENT, ["a"], true)).toEqual(of("docked", "a"));
  expect(presentAfter(NOT_PRESENT, ["a"], false)).toEqual(of("modal", "a"));
});

test("what is there keeps its place when others come or go, whatever has the focus", () => {
  expect(presentAfter(of("modal", "a"), ["a", "b"], true)).toEqual(of("modal", "a", "b"));
  expect(presentAfter(of("docked", "a", "b"), ["b"], false)).toEqual(of("docked", "b"));
  const same = of("docked", "a");
  expect(presentAfter(same, ["a"], false)).toBe(same);
});

test("what was put off stays so until a new request comes; then nothing is hidden", () => {
  expect(presentAfter(of("later", "a", "b"), ["b"], false)).toEqual(of("later", "b"));
  expect(presentAfter(of("later", "a"), ["a", "c"], false)).toEqual(of("modal", "a", "c"));
  expect(presentAfter(of("later", "a"), ["a", "c"], true)).toEqual(of("docked", "a", "c"));
});

test("when all were answered, the next one decides anew", () => {
  const none = presentAfter(of("later", "a"), [], false);
  expect(presentAfter(none, ["b"], false)).toEqual(of("modal", "b"));
});
