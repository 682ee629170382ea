import { expect, it } from "vitest";
import { keyAction, type PressedKey } from "./answer-keys.ts";

const pressed = (key: string, differs: Partial<PressedKey> = {}): PressedKey => ({
  key,
  isOther: false,
  quietMs: 500,
  ...differs,
});

it.each([
  ["d", "deny"],
  ["A", "allow"],
  ["s", "lasts"],
  ["t", "tell"],
])("%s is for %s", (key, does) => {
  expect(keyAction(pressed(key), true)).toBe(does);
});

it.each([
  ["before the card is armed", pressed("d"), false],
  ["in the middle of typing", pressed("a", { quietMs: 499 }), true],
  ["while held, with another key, or in a field", pressed("a", { isOther: true }), true],
  ["for another key", pressed("2"), true],
  ["for Enter", pressed("Enter"), true],
  ["for Space", pressed(" "), true],
])("does nothing %s", (_, key, armed) => {
  expect(keyAction(key, armed)).toBeNull();
});
