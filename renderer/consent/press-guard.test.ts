import { expect, test } from "vitest";
import { createPressGuard } from "./press-guard.ts";

test("a click counts when press and click were both made on an armed button", () => {
  const guard = createPressGuard();
  guard.pressed({ armed: true, repeated: false });
  expect(guard.clicked({ armed: true, trusted: true })).toBe(true);
});

test.each([
  ["pressed before the button was armed", { armed: false, repeated: false }, true, true],
  ["made by a key held down", { armed: true, repeated: true }, true, true],
  ["released on a button no longer armed", { armed: true, repeated: false }, false, true],
  ["made by a script", { armed: true, repeated: false }, true, false],
])("a click is swallowed when it was %s", (_why, press, armed, trusted) => {
  const guard = createPressGuard();
  guard.pressed(press);
  expect(guard.clicked({ armed, trusted })).toBe(false);
});

test("a click of assistive technology, without a press, counts on an armed button only", () => {
  expect(createPressGuard().clicked({ armed: true, trusted: true })).toBe(true);
  expect(createPressGuard().clicked({ armed: false, trusted: true })).toBe(false);
});
