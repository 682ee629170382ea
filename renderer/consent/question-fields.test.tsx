// @vitest-environment jsdom
import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import {
  allow,
  arm,
  card,
  cardOf,
  drawCard,
  drawsCards,
  HOME,
  heading,
  press,
} from "./testing/drawn-card.tsx";

drawsCards();

const options = [{ label: "Red", description: "Warm" }, { label: "Blue" }];
const asking = (request_id: string, ...questions: object[]) =>
  cardOf({
    request_id,
    tool_name: "answer_question",
    scope: "agent:tool",
    arguments: { questions: questions as never },
    subject: null,
    answers: ["deny", "allow_once"],
  });
const isArmed = () => allow().getAttribute("aria-disabled") === "false";
const option = (name: RegExp) => fireEvent.click(screen.getByRole("radio", { name }));

test("it is answered by choosing, and not before each question is", async () => {
  const one = { question: "Which colour?", options };
  const { actions } = drawCard(asking("q-1", one, { ...one, question: "And the border?" }));
  expect(heading().textContent).toBe("What do you choose?");
  expect(card().textContent).toContain("Warm");
  await arm();
  expect(isArmed()).toBe(false);
  fireEvent.click(screen.getAllByRole("radio", { name: /^Blue/ })[0] as Element);
  expect(isArmed()).toBe(false);
  fireEvent.click(screen.getAllByRole("radio", { name: /^Red/ })[1] as Element);
  await arm();
  await press("consent-allow-once");
  const chosen = { "Which colour?": "Blue", "And the border?": "Red" };
  expect(actions.answer.mock.calls).toEqual([["q-1", "allow_once", undefined, undefined, chosen]]);
});

test("own words stand for a choice, and beside several", async () => {
  const { actions } = drawCard(
    asking("q-2", { question: "One?", options }, { question: "Many?", options, multiSelect: true }),
  );
  option(/^Red/);
  const [one, many] = screen.getAllByTestId("consent-own-answer");
  fireEvent.change(one as Element, { target: { value: " Green " } });
  for (const each of screen.getAllByRole("checkbox")) fireEvent.click(each);
  fireEvent.change(many as Element, { target: { value: "Grey" } });
  await arm();
  await press("consent-allow-once");
  const chosen = { "One?": "Green", "Many?": "Red, Blue, Grey" };
  expect(actions.answer.mock.calls[0]?.[4]).toEqual(chosen);
});

test("a plan is inert Markdown, approved or not", () => {
  const plan = "# Plan\n\n1. `npm test`\n2. [here](https://a.test)";
  drawCard(cardOf({ tool_name: "approve_plan", arguments: { plan }, subject: null }));
  const shown = screen.getByTestId("consent-plan");
  expect(shown.querySelectorAll("li")).toHaveLength(2);
  expect(shown.querySelector("a[href]")).toBe(null);
  expect(allow().textContent).toBe("Approve");
  expect(screen.getByTestId("consent-deny").textContent).toBe("Keep planning");
});

test("a patch is one card with the lines of each file", () => {
  const patch = [
    "*** Begin Patch",
    "*** Update File: cart.ts",
    "@@ total",
    "-old",
    "+new",
    "*** Delete File: price.ts",
    "*** End Patch",
  ].join("\n");
  const paths = [`${HOME}/cart.ts`, `${HOME}/price.ts`];
  drawCard(
    cardOf({
      tool_name: "apply_patch",
      arguments: { patch, paths, directory: HOME },
      subject: null,
    }),
  );
  const parts = screen.getAllByTestId("consent-patched").map(({ textContent }) => textContent);
  expect(parts[0]).toMatch(/^Edit proj\/cart\.ts.*total.*old.*new/);
  expect(parts[1]).toMatch(/proj\/price\.ts/);
  // As it was sent, it is in the details alone.
  expect(screen.getByTestId("consent-arguments").textContent).toBe(`directory${HOME}`);
});
