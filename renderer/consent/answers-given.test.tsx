// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { countAnswer, knowsAnswers } from "./answer-keys.ts";
import { arm, cardOf, drawCard, drawsCards, press } from "./testing/drawn-card.tsx";

drawsCards();
beforeEach(() => localStorage.clear());

const fold = () => screen.queryByTestId("consent-grants");

test("what the buttons do is explained until ten answers were given; then it folds away", async () => {
  drawCard(cardOf());
  expect(fold()).toBeNull();
  for (let given = 0; given < 9; given += 1) countAnswer();
  expect(knowsAnswers()).toBe(false);
  await arm();
  await press("consent-deny");
  expect(knowsAnswers()).toBe(true);
  // A card that is read does not change under the reader.
  expect(fold()).toBeNull();
});

test("folded, it can be unfolded, and describes the buttons all the same", () => {
  for (let given = 0; given < 10; given += 1) countAnswer();
  drawCard(cardOf());
  expect(fold()?.hasAttribute("open")).toBe(false);
  const described = screen.getByTestId("consent-deny").getAttribute("aria-describedby") ?? "";
  expect(document.getElementById(described)?.textContent).not.toBe("");
});

test("a browser that keeps nothing gets every explanation, and its answers count as always", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("denied");
    },
  });
  countAnswer();
  expect(knowsAnswers()).toBe(false);
});
