import { expect, test } from "vitest";
import { isUnseen } from "./register-calls.ts";

const answered = (answer: string) => ({ request_id: "r", answer });

test("a card counts as opened as soon as its window is in sight", () => {
  expect(isUnseen("consent.opened", { request_id: "r" }, null)).toBe(true);
  expect(isUnseen("consent.opened", { request_id: "r" }, 0)).toBe(false);
});

test.each(["allow_once", "allow_in_conversation"])(
  "%s counts in a window that has been in sight for 500 ms",
  (answer) => {
    expect(isUnseen("consent.answer", answered(answer), null)).toBe(true);
    expect(isUnseen("consent.answer", answered(answer), 499)).toBe(true);
    expect(isUnseen("consent.answer", answered(answer), 500)).toBe(false);
  },
);

test("several count as one does", () => {
  const group = (answer: string) => ({ answers: [answered("deny"), answered(answer)] });
  expect(isUnseen("consent.answer_group", group("allow_once"), 499)).toBe(true);
  expect(isUnseen("consent.answer_group", group("allow_once"), 500)).toBe(false);
  expect(isUnseen("consent.answer_group", group("deny"), null)).toBe(false);
  expect(isUnseen("consent.answer_group", { answer: "allow_once" }, 500)).toBe(true);
});

test.each(["deny", "always_deny"])("%s counts wherever the window is", (answer) => {
  expect(isUnseen("consent.answer", answered(answer), null)).toBe(false);
});

test("other calls do not depend on what is in sight", () => {
  expect(isUnseen("app.snapshot", {}, null)).toBe(false);
});
