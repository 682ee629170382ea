// @vitest-environment jsdom
import { fireEvent, screen } from "@testing-library/react";
import { useMemo } from "react";
import { expect, test, vi } from "vitest";
import type { ConsentCard } from "../../app/bridge/views.ts";
import { received } from "../state/store.ts";
import { ConsentList, useFocusOnHeading } from "./consent-list.tsx";
import {
  arm,
  cardOf,
  draw,
  drawsCards,
  fakeActions,
  inLanguage,
  pass,
  press,
} from "./testing/drawn-card.tsx";
import { useNextInView } from "./use-next-in-view.ts";
import { useSlots } from "./use-slots.ts";

drawsCards();

function List(props: {
  readonly cards: readonly ConsentCard[];
  readonly actions: ReturnType<typeof fakeActions>;
  readonly docked?: boolean;
}) {
  const waiting = useMemo(() => received(props.cards, 0), [props.cards]);
  const { slots, pointer } = useSlots(waiting);
  const list = useFocusOnHeading(slots, props.docked);
  useNextInView(list, slots, props.docked);
  return (
    <ConsentList
      list={list}
      slots={slots}
      pointer={pointer}
      waiting={waiting}
      connected
      actions={props.actions}
      buttons={null}
      docked={props.docked ?? false}
    />
  );
}

function drawList(...cards: ConsentCard[]) {
  const parts = { actions: fakeActions() };
  draw(inLanguage(<List cards={cards} {...parts} />));
  return parts;
}
const numbered = (count: number, differs: Partial<ConsentCard> = {}) =>
  Array.from({ length: count }, (_, at) => cardOf({ request_id: `request-${at + 1}`, ...differs }));
const focusedCard = () =>
  document.activeElement?.matches("h2") === true
    ? document.activeElement.closest("article")?.dataset.requestId
    : null;

async function pressEscape(): Promise<void> {
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
  await pass(0);
}
const leaveCards = (): void => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
};

test("cards stand in the order they came, and the first heading has the keyboard, no button", () => {
  drawList(...numbered(3));
  const ids = screen.getAllByTestId("consent-card").map((each) => each.dataset.requestId);
  expect(ids).toEqual(["request-1", "request-2", "request-3"]);
  expect(focusedCard()).toBe("request-1");
});

test.each([1, 2])("Esc beside %d cards denies none: it goes to the first", async (count) => {
  const { actions } = drawList(...numbered(count));
  leaveCards();
  fireEvent.keyDown(document.body, { key: "Escape", isComposing: true });
  expect(focusedCard()).toBe(null);
  await pressEscape();
  expect(actions.answer).not.toHaveBeenCalled();
  expect(focusedCard()).toBe("request-1");
});

test("at the page's edge cards leave the keyboard where it is, whatever comes, goes or is pressed", async () => {
  const field = document.body.appendChild(document.createElement("textarea"));
  field.focus();
  const list = (...cards: ConsentCard[]) => <List cards={cards} actions={actions} docked />;
  const actions = fakeActions();
  const [first, second] = [cardOf(), cardOf({ request_id: "request-2" })];
  const { rerender } = draw(inLanguage(list(first)));
  rerender(inLanguage(list(first, second)));
  await arm();
  await pressEscape();
  rerender(inLanguage(list(second)));
  await pass(1_000);
  expect(document.activeElement).toBe(field);
  expect(actions.answer).not.toHaveBeenCalled();
  field.remove();
});

test("Esc on one of several cards denies that one alone", async () => {
  const { actions } = drawList(...numbered(2));
  screen.getAllByRole("heading", { level: 2 })[1]?.focus();
  await arm();
  await pressEscape();
  expect(actions.answer.mock.calls).toEqual([["request-2", "deny", undefined]]);
});

test("denying all of an agent is offered where it asks several things, for that agent", () => {
  const { actions } = drawList(
    ...numbered(2),
    cardOf({ request_id: "request-9", agent_id: "agent-2" }),
  );
  const [button, ...others] = screen.getAllByTestId("consent-deny-all");
  expect(others).toEqual([]);
  fireEvent.click(button as Element);
  expect(actions.answerGroup.mock.calls).toEqual([[["request-1", "request-2"], "deny"]]);
});

const together = (): (string | undefined)[] =>
  screen
    .getAllByRole("button")
    .filter((each) => each.closest("article") === null)
    .map((each) => each.dataset.testid);

test("nothing allows several requests at once that are not alike reading", () => {
  drawList(...numbered(2, { subject: null }));
  expect(together()).toEqual(["consent-deny-all"]);
});

test("alike reading is allowed together, after every line has been in sight", async () => {
  drawList(...numbered(2));
  expect(together()).toEqual(["consent-alike", "consent-deny-all"]);
  await press("consent-alike");
  const allow = screen.getByTestId("consent-alike-allow");
  expect(screen.getByTestId("consent-alike-dialog").querySelectorAll("li")).toHaveLength(2);
  await pass(1_000);
  expect(allow.getAttribute("aria-disabled")).toBe("true");
  await arm();
  expect(allow.getAttribute("aria-disabled")).toBe("false");
});

test("a request that cannot be drawn can be denied and not allowed; the others stand", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const broken = { ...cardOf({ request_id: "request-2" }), answers: undefined as never };
  const { actions } = drawList(...numbered(1), broken);
  expect(screen.getAllByTestId("consent-card")).toHaveLength(1);
  const failed = screen.getByTestId("consent-failed");
  expect(failed.querySelectorAll("button")).toHaveLength(1);
  fireEvent.click(screen.getByTestId("consent-failed-deny"));
  await pass(0);
  expect(actions.answer.mock.calls).toEqual([["request-2", "deny"]]);
});
