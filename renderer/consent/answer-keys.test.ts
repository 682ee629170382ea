import { expect, it } from "vitest";
import { keyAction, type PressedKey } from "./answer-keys.ts";

const medium = {
  sensitivity: "medium",
  answers: ["deny", "allow_once", "allow_in_conversation"],
} as const;
const high = { sensitivity: "high", answers: ["deny", "allow_once", "always_deny"] } as const;
const pressed = (key: string, differs: Partial<PressedKey> = {}): PressedKey => ({
  key,
  isOther: false,
  quietMs: 500,
  ...differs,
});

it("denies and allows a medium one once; what lasts is only led to", () => {
  const acts = ["1", "2", "3"].map((key) => keyAction(pressed(key), medium, true));
  expect(acts).toEqual([
    { kind: "answer", answer: "deny" },
    { kind: "answer", answer: "allow_once" },
    { kind: "go_to", answer: "allow_in_conversation" },
  ]);
});

it("allows no high one, and adds no rule: it leads to the button", () => {
  expect(keyAction(pressed("1"), high, true)).toEqual({ kind: "answer", answer: "deny" });
  expect(keyAction(pressed("2"), high, true)).toEqual({ kind: "go_to", answer: "allow_once" });
  expect(keyAction(pressed("5"), high, true)).toEqual({ kind: "go_to", answer: "always_deny" });
});

it.each([
  ["before the card is armed", pressed("1"), false],
  ["in the middle of typing", pressed("2", { quietMs: 499 }), true],
  ["while held, with another key, or in a field", pressed("2", { isOther: true }), true],
  ["for an answer that is not offered", pressed("5"), true],
  ["for another key", pressed("a"), true],
])("does nothing %s", (_, key, armed) => {
  expect(keyAction(key, medium, armed)).toBeNull();
});
