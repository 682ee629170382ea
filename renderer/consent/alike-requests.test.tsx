// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { received } from "../state/store.ts";
import { AlikeRequests } from "./alike-requests.tsx";
import {
  arm,
  cardOf,
  comeIntoSight,
  draw,
  drawsCards,
  fakeActions,
  HOME,
  inLanguage,
  pass,
  press,
} from "./testing/drawn-card.tsx";

drawsCards();

const reading = (name: string, differs: Partial<ConsentCard> = {}) =>
  cardOf({ request_id: name, arguments: { path: `${HOME}/${name}` }, ...differs });
const ONE = reading("one.md");
const TWO = reading("two.md");
const fetching = (name: string) =>
  reading(name, {
    tool_name: "fetch_url",
    arguments: { url: `https://a.test/${name}` },
    subject: { kind: "host", host: "a.test", port: 443 },
  });

function drawAlike(...cards: readonly ConsentCard[]) {
  const actions = fakeActions();
  const page = (waiting: readonly ConsentCard[], connected = true) =>
    inLanguage(
      <AlikeRequests waiting={received(waiting, 0)} connected={connected} actions={actions} />,
    );
  const { rerender } = draw(page(cards));
  return {
    actions,
    redraw: (waiting: readonly ConsentCard[], connected?: boolean) =>
      rerender(page(waiting, connected)),
  };
}

const lines = () =>
  [...screen.getByTestId("consent-alike-dialog").querySelectorAll("li")].map(
    ({ textContent }) => textContent,
  );
const isArmed = () =>
  screen.getByTestId("consent-alike-allow").getAttribute("aria-disabled") === "false";

test("a line says what each of them is about, and one press allows exactly these", async () => {
  const { actions } = drawAlike(ONE, TWO, reading("three.md", { agent_id: "agent-2" }));
  await press("consent-alike");
  const [first, second, ...others] = lines();
  expect(first).toContain("one.md");
  expect(second).toContain("two.md");
  expect(others).toEqual([]);
  await arm();
  await press("consent-alike-allow");
  expect(actions.answerGroup.mock.calls).toEqual([[["one.md", "two.md"], "allow_once"]]);
  await press("consent-alike-allow");
  expect(actions.answerGroup).toHaveBeenCalledOnce();
});

test("all of them can be denied at once, without looking at each", async () => {
  const { actions } = drawAlike(ONE, TWO);
  await press("consent-alike");
  await press("consent-alike-deny");
  expect(actions.answerGroup.mock.calls).toEqual([[["one.md", "two.md"], "deny"]]);
});

test("nothing is allowed while the host says that the window is out of sight", async () => {
  const { actions } = drawAlike(ONE, TWO);
  actions.opened.mockImplementation(async (id) => id === "one.md");
  await press("consent-alike");
  await arm();
  expect(isArmed()).toBe(false);
  await press("consent-alike-allow");
  expect(actions.answerGroup).not.toHaveBeenCalled();
  actions.opened.mockImplementation(async () => true);
  await pass(600);
  await arm();
  expect(isArmed()).toBe(true);
});

test("another one of them that comes must be in sight too before one press allows all", async () => {
  const { actions, redraw } = drawAlike(ONE, TWO);
  await press("consent-alike");
  await arm();
  expect(isArmed()).toBe(true);
  redraw([ONE, TWO, reading("three.md")]);
  expect(lines()).toHaveLength(3);
  await pass(1_000);
  expect(isArmed()).toBe(false);
  await press("consent-alike-allow");
  expect(actions.answerGroup).not.toHaveBeenCalled();
});

test("an answer that did not arrive is said, and can be given again", async () => {
  const { actions } = drawAlike(ONE, TWO);
  actions.answerGroup.mockResolvedValueOnce("too_early");
  await press("consent-alike");
  await arm();
  await press("consent-alike-allow");
  expect(screen.getByRole("alert").textContent).not.toBe("");
  await press("consent-alike-allow");
  expect(actions.answerGroup).toHaveBeenCalledTimes(2);
});

test("the keyboard is still on the denial after it was sent in vain", async () => {
  const { actions } = drawAlike(ONE, TWO);
  const asked = Promise.withResolvers<"too_early">();
  actions.answerGroup.mockReturnValueOnce(asked.promise);
  await press("consent-alike");
  const deny = screen.getByTestId<HTMLButtonElement>("consent-alike-deny");
  deny.focus();
  await press("consent-alike-deny");
  expect(deny.disabled).toBe(false);
  asked.resolve("too_early");
  await pass(0);
  expect(document.activeElement).toBe(deny);
});

test("without a connection nothing is answered", async () => {
  const { actions, redraw } = drawAlike(ONE, TWO);
  await press("consent-alike");
  await arm();
  redraw([ONE, TWO], false);
  await press("consent-alike-allow");
  await press("consent-alike-deny");
  expect(actions.answerGroup).not.toHaveBeenCalled();
});

test("two kinds have a button each, and what was answered closes what is open", async () => {
  const { redraw } = drawAlike(ONE, fetching("a"), TWO, fetching("b"), fetching("c"));
  const buttons = screen.getAllByTestId("consent-alike").map(({ textContent }) => textContent);
  expect(buttons).toEqual(["2 alike…", "3 alike…"]);
  await pass(0);
  screen.getAllByTestId("consent-alike")[1]?.click();
  await pass(0);
  comeIntoSight();
  expect(lines()).toHaveLength(3);
  redraw([ONE, TWO]);
  await pass(0);
  expect(screen.queryByTestId("consent-alike-dialog")).toBe(null);
  expect(screen.getAllByTestId("consent-alike")).toHaveLength(1);
});

test("what gives more than itself, sends or is high is in no group", () => {
  const pairs: readonly Partial<ConsentCard>[] = [
    { sensitivity: "high" },
    { root_wanted: { suggested_path: HOME, access: "read", file: null } },
    { subject: { kind: "scope" } },
    { answers: ["deny"] },
  ];
  for (const differs of pairs) {
    drawAlike(reading("one.md", differs), reading("two.md", differs));
  }
  drawAlike(ONE, reading("two.md", { subject: { kind: "folder", path: "/elsewhere" } }));
  expect(screen.queryAllByTestId("consent-alike")).toEqual([]);
});
