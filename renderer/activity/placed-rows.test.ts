import { expect, test } from "vitest";
import { RowPlacer, ShiftingView, shiftedBase, TALLEST_ROWS, tallness } from "./placed-rows.ts";
import { sampleRow } from "./testing/sample-log.ts";

test("ten million lines pass through a list that is never taller than a browser can draw", () => {
  let base = 0;
  const walk = (first: number) => {
    base = shiftedBase(base, first);
    expect(first - base).toBeGreaterThanOrEqual(0);
    expect(first - base).toBeLessThan(tallness(10_000_000, base));
  };
  for (let first = 0; first < 10_000_000; first += 997) walk(first);
  for (let first = 9_999_999; first >= 0; first -= 997) walk(first);
  walk(0);
  expect(base).toBe(0);
});

test("after a shift there is room to scroll on in both directions", () => {
  const down = shiftedBase(0, 80_000);
  expect(80_000 - down).toBeGreaterThan(TALLEST_ROWS / 5);
  expect(shiftedBase(down, 79_000)).toBe(down);
  expect(shiftedBase(0, 9_000_000)).toBeGreaterThan(8_900_000);
});

test("lines keep their places around pages that were let go", () => {
  const rows = [sampleRow(9), sampleRow(8)];
  const far = [sampleRow(3)];
  const book = [
    { end: 8, count: 2, rows },
    { end: 4, count: 4, rows: null },
    { end: null, count: 1, rows: far },
  ];
  const placer = new RowPlacer();
  const placed = placer.placed(book, 0);
  expect(placed.map(({ id, place }) => [id, place])).toEqual([
    [9, 0],
    [8, 1],
    [3, 6],
  ]);
  expect(placer.placed(book, 0)[2]).toBe(placed[2]);
  expect(placer.placed(book, 1).map(({ place }) => place)).toEqual([0, 5]);
});

test("keeps the line on the screen where it is, also when the browser scrolls a list that gets shorter", () => {
  const rowSize = 44;
  const height = 20 * rowSize;
  const view = new ShiftingView();
  let base = 0;
  let top = 0;
  const seen: number[] = [];
  for (let rows = 400; rows < 3 * TALLEST_ROWS; rows += 200) {
    const clamp = () => Math.min(top, tallness(rows, base) * rowSize - height);
    top = tallness(rows, base) * rowSize - height;
    const first = view.look(top, rowSize);
    seen.push(first - (rows - 20));
    base = shiftedBase(base, first);
    // What the browser does when the list is drawn, before the page's code runs.
    top = clamp();
    top = view.drawn(base, rowSize) ?? top;
    expect(clamp()).toBe(top);
    expect(view.look(top, rowSize)).toBe(first);
  }
  expect(base).toBeGreaterThan(TALLEST_ROWS);
  expect(new Set(seen)).toEqual(new Set([0]));
});
