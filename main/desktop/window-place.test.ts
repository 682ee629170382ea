import { expect, test } from "vitest";
import { fitToScreens, keptPlace } from "./window-place.ts";

const LEFT = { x: 0, y: 25, width: 1440, height: 875 };
const RIGHT = { x: 1440, y: 0, width: 1920, height: 1040 };
const place = { x: 1500, y: 100, width: 1100, height: 760, maximized: false };

test("a place is kept as it was where it still is on a screen", () => {
  expect(fitToScreens(place, [LEFT, RIGHT])).toEqual(place);
  expect(keptPlace(JSON.stringify(place))).toEqual(place);
});

test("a window whose screen is gone goes where the system puts it", () => {
  expect(fitToScreens(place, [LEFT])).toBeNull();
  expect(fitToScreens(place, [])).toBeNull();
});

test("a window that hangs over an edge, or is larger than the screen, is brought onto it", () => {
  expect(fitToScreens({ ...place, x: 1400, y: -300 }, [LEFT, RIGHT])).toMatchObject({
    x: 1440,
    y: 0,
  });
  expect(fitToScreens({ ...place, x: 10, width: 9_000, height: 9_000 }, [LEFT])).toMatchObject(
    LEFT,
  );
});

test("what cannot be used is as if nothing were kept", () => {
  const without = { x: 1, y: 1, width: 10, height: 10 };
  const unusable = [
    undefined,
    "",
    "null",
    "[]",
    "{",
    JSON.stringify(without),
    JSON.stringify({ ...place, width: 0 }),
    JSON.stringify({ ...place, x: 1e9 }),
    JSON.stringify({ ...place, x: 0.5 }),
    JSON.stringify({ ...place, fullscreen: true }),
  ];
  for (const text of unusable) expect(keptPlace(text)).toBeNull();
});
