import { expect, it } from "vitest";
import {
  cardsIn,
  JOINS_MS,
  NONE_OPEN,
  type OpenRequest,
  openAfter,
  type Placed,
  stepFrom,
} from "./open-request.ts";

/** Small letters are alone on their cards; capitals share one, those of each row of the alphabet. */
const placed = (ids: string): Placed[] =>
  [...ids].map((id) => ({ id, agent_id: id < "N" ? "one" : "two", shares: id < "a" }));
const waiting = (ids: string, open: string, ended = ""): OpenRequest => ({
  open: [...open],
  ids: [...ids],
  ended: [...ended],
  since: 0,
});
const openOf = (before: OpenRequest, ids: string, now = JOINS_MS) =>
  openAfter(before, placed(ids), now).open.join("");

it("opens the first that comes, and nothing that comes later replaces it", () => {
  const first = openAfter(NONE_OPEN, placed("a"), 0);
  expect(first.open).toEqual(["a"]);
  expect(openOf(first, "ab", 0)).toBe("a");
  expect(openOf(waiting("abc", "b"), "abcd", 0)).toBe("b");
});

it.each([
  ["abc", "b", "ac", "c"],
  ["abcd", "b", "ad", "d"],
  ["abc", "c", "ab", "a"],
  ["abc", "b", "cz", "c"],
  ["ab", "b", "z", "z"],
  ["aBC", "a", "BC", "BC"],
  ["aBzC", "a", "BzC", "BC"],
  ["BC", "BC", "PQR", "PQR"],
])("of %s with %s open, once %s wait, opens %s", (ids, open, then, next) => {
  expect(openOf(waiting(ids, open), then)).toBe(next);
});

it("stays where it is when another one ends", () => {
  expect(openOf(waiting("abc", "b"), "b")).toBe("b");
  expect(openOf(waiting("ABC", "ABC"), "AC")).toBe("AC");
});

it("takes in what arrives together with what it shows, as long as it keeps coming, of its agent alone", () => {
  const first = openAfter(NONE_OPEN, placed("A"), 0);
  const second = openAfter(first, placed("ABp"), JOINS_MS - 1);
  expect(second.open).toEqual(["A", "B"]);
  const third = openAfter(second, placed("ABpCP"), 2 * JOINS_MS - 3);
  expect(third.open).toEqual(["A", "B", "C"]);
  const later = openAfter(third, placed("ABpCPD"), 4 * JOINS_MS);
  expect(later.open).toEqual(["A", "B", "C"]);
  expect(cardsIn(later, placed("ABpCPD")).map((card) => card.join(""))).toEqual([
    "ABC",
    "p",
    "P",
    "D",
  ]);
});

it("has none open when none waits", () => {
  expect(openOf(waiting("a", "a"), "")).toBe("");
});

it("opens what was put back, and only the first time", () => {
  const answered = openAfter(waiting("abc", "a"), placed("bc"), 0);
  const back = openAfter(answered, placed("abc"), 0);
  expect(back.open).toEqual(["a"]);
  expect(openOf({ ...back, open: ["c"] }, "abcd")).toBe("c");
  const denied = openAfter(waiting("ABc", "AB"), placed("c"), 0);
  expect(openOf(denied, "ABc")).toBe("AB");
});

it("steps to the next card and the previous, around the ends, and nowhere from a single one", () => {
  const step = (ids: string, open: string, by: 1 | -1) =>
    stepFrom({ open: [...open] }, placed(ids), by)?.join("");
  expect([step("abc", "a", 1), step("abc", "c", 1)]).toEqual(["b", "a"]);
  expect([step("abc", "a", -1), step("abc", "c", -1)]).toEqual(["c", "b"]);
  expect([step("aBCd", "a", 1), step("aBCd", "BC", 1)]).toEqual(["BC", "d"]);
  expect([step("a", "a", 1), step("AB", "AB", 1)]).toEqual([undefined, undefined]);
});
