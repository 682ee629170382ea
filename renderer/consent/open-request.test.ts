import { expect, it } from "vitest";
import { NONE_OPEN, type OpenRequest, openAfter, stepFrom } from "./open-request.ts";

const waiting = (ids: string, open: string, ended = ""): OpenRequest => ({
  open,
  ids: [...ids],
  ended: [...ended],
});
const openOf = (before: OpenRequest, ids: string) => openAfter(before, [...ids]).open;

it("opens the first that comes, and nothing that comes later replaces it", () => {
  const first = openAfter(NONE_OPEN, ["a"]);
  expect(first.open).toBe("a");
  expect(openOf(first, "ab")).toBe("a");
  expect(openOf(waiting("abc", "b"), "abcd")).toBe("b");
});

it.each([
  ["abc", "b", "ac", "c"],
  ["abcd", "b", "ad", "d"],
  ["abc", "c", "ab", "a"],
  ["abc", "b", "cz", "c"],
  ["ab", "b", "z", "z"],
])("of %s with %s open, once %s wait, opens %s", (ids, open, then, next) => {
  expect(openOf(waiting(ids, open), then)).toBe(next);
});

it("stays where it is when another one ends", () => {
  expect(openOf(waiting("abc", "b"), "b")).toBe("b");
});

it("has none open when none waits", () => {
  expect(openOf(waiting("a", "a"), "")).toBeNull();
});

it("opens one that was put back, and only the first time", () => {
  const answered = openAfter(waiting("abc", "a"), ["b", "c"]);
  const back = openAfter(answered, ["a", "b", "c"]);
  expect(back.open).toBe("a");
  expect(openOf({ ...back, open: "c" }, "abcd")).toBe("c");
});

it("steps to the next and the previous, around the ends, and nowhere from a single one", () => {
  expect([stepFrom(waiting("abc", "a"), 1), stepFrom(waiting("abc", "c"), 1)]).toEqual(["b", "a"]);
  expect([stepFrom(waiting("abc", "a"), -1), stepFrom(waiting("abc", "c"), -1)]).toEqual([
    "c",
    "b",
  ]);
  expect(stepFrom(waiting("a", "a"), 1)).toBeNull();
});
