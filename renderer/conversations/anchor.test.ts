import { expect, test } from "vitest";
import { AT_END, anchorAt, isSameAnchor, viewOf } from "./anchor.ts";

const ten = { of: () => 10 };
const keys = Array.from({ length: 100 }, (_, index) => `row-${index}`);

test("the row at the upper edge holds the place, also when older rows come before it", () => {
  const anchor = anchorAt(keys, ten, { top: 503, height: 100 });
  expect(anchor).toEqual({ kind: "row", key: "row-50", offset: -3 });
  expect(viewOf(keys, ten, anchor, 100).top).toBe(503);
  const more = ["older-1", "older-2", ...keys];
  expect(viewOf(more, ten, anchor, 100).top).toBe(523);
});

test("at the end the view stays at the end, whatever comes", () => {
  expect(viewOf(keys, ten, AT_END, 100).top).toBe(900);
  expect(viewOf([...keys, "new"], ten, AT_END, 100).top).toBe(910);
  expect(viewOf(["a"], ten, AT_END, 100).top).toBe(0);
});

test("when the row that held the place has gone, the end holds it", () => {
  expect(viewOf(keys, ten, { kind: "row", key: "gone", offset: 0 }, 100).top).toBe(900);
  expect(anchorAt([], ten, { top: 0, height: 100 })).toBe(AT_END);
});

test("places are the same to the pixel", () => {
  const row = { kind: "row", key: "a", offset: 1 } as const;
  expect(isSameAnchor(row, { ...row })).toBe(true);
  expect(isSameAnchor(row, { ...row, offset: 2 })).toBe(false);
  expect(isSameAnchor(row, AT_END)).toBe(false);
  expect(isSameAnchor(AT_END, { kind: "end" })).toBe(true);
});
