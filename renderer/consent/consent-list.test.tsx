// @vitest-environment jsdom
import { fireEvent, screen } from "@testing-library/react";
import { useMemo } from "react";
import { expect, test, vi } from "vitest";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { received } from "../state/store.ts";
import { ConsentList } from "./consent-list.tsx";
import { KeySheet } from "./key-sheet.tsx";
import { useCardList } from "./open-request.ts";
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

drawsCards();

function List(props: {
  readonly cards: readonly ConsentCard[];
  readonly actions: ReturnType<typeof fakeActions>;
  readonly docked?: boolean;
  readonly onLater?: () => void;
}) {
  const waiting = useMemo(() => received(props.cards, 0), [props.cards]);
  const { isThere: _, ...list } = useCardList(waiting);
  return (
    <ConsentList
      {...list}
      turnedAway={{ agents: [], others: 0 }}
      onTurnedAwaySeen={() => {}}
      connected
      actions={props.actions}
      buttons={null}
      onLater={props.onLater ?? (() => {})}
      docked={props.docked ?? false}
    />
  );
}

function drawList(...cards: ConsentCard[]) {
  const parts = { actions: fakeActions(), onLater: vi.fn() };
  draw(inLanguage(<List cards={cards} {...parts} />));
  return parts;
}
/** Unless said otherwise, what has a card of its own. */
const copying = (number: number, differs: Partial<ConsentCard> = {}) =>
  cardOf({ request_id: `request-${number}`, tool_name: "write_clipboard", ...differs });
const numbered = (count: number, differs: Partial<ConsentCard> = {}) =>
  Array.from({ length: count }, (_, at) => copying(at + 1, differs));
const focusedCard = () =>
  document.activeElement?.matches("h2") === true
    ? document.activeElement.closest("article")?.dataset.requestId
    : null;

const openCards = () =>
  screen.getAllByTestId("consent-card").map(({ dataset }) => dataset.requestId);

async function pressEscape(): Promise<void> {
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
  await pass(0);
}
const leaveCards = (): void => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
};

test("one card is open, all are listed in the order they came, and no button has the keyboard", () => {
  drawList(...numbered(3));
  expect(openCards()).toEqual(["request-1"]);
  const ids = screen.getAllByTestId("waiting-row").map((each) => each.dataset.requestId);
  expect(ids).toEqual(["request-1", "request-2", "request-3"]);
  expect(focusedCard()).toBe("request-1");
});

test("a single one has no list", () => {
  drawList(...numbered(1));
  expect(screen.queryByTestId("waiting-list")).toBe(null);
});

test("a line opens its card and answers nothing; what is only listed has not been seen", async () => {
  const { actions } = drawList(...numbered(3));
  await arm();
  fireEvent.click(screen.getAllByTestId("waiting-row")[2] as Element);
  expect(openCards()).toEqual(["request-3"]);
  expect(focusedCard()).toBe("request-3");
  await arm();
  expect(actions.opened.mock.calls).toEqual([["request-1"], ["request-3"]]);
  expect(actions.answer).not.toHaveBeenCalled();
});

test("J and K open the next and the previous, and a letter just after them answers nothing", async () => {
  const { actions } = drawList(...numbered(3));
  await arm();
  const type = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });
  type("j");
  expect(openCards()).toEqual(["request-2"]);
  type("d");
  type("K");
  type("k");
  expect(openCards()).toEqual(["request-3"]);
  expect(actions.answer).not.toHaveBeenCalled();
});

test.each(["j", "k"])("%s at a list to choose from opens no other request", async (key) => {
  drawList(...numbered(3));
  await arm();
  await press("consent-lasts-conversation");
  const width = screen.getByTestId("consent-width").querySelector("button");
  width?.focus();
  expect(document.activeElement).toBe(width);
  fireEvent.keyDown(document.activeElement as Element, { key });
  expect(openCards()).toEqual(["request-1"]);
});

test("what is chosen and written on a card is there again after another one was open", async () => {
  const { actions } = drawList(
    ...numbered(2).map((each) => ({
      ...each,
      request_id: `chosen-${each.request_id}`,
      root_wanted: { suggested_path: "/tmp", access: "read" as const, file: null },
    })),
  );
  await arm();
  const time = () => screen.getByTestId("consent-lasts").dataset.chosen;
  fireEvent.click(screen.getByTestId("consent-lasts-always"));
  expect(time()).toBe("always");
  await press("consent-tell");
  const words = () => screen.queryByTestId<HTMLTextAreaElement>("consent-tell-field");
  fireEvent.change(words() as HTMLTextAreaElement, { target: { value: "Use notes.md." } });
  const open = (at: number) => fireEvent.click(screen.getAllByTestId("waiting-row")[at] as Element);
  open(1);
  expect([time(), words()]).toEqual(["once", null]);
  open(0);
  expect([time(), words()?.value]).toEqual(["always", "Use notes.md."]);
  await arm();
  await press("consent-allow-always");
  const terms = { only_file: false, access: "read", time: "always" };
  expect(actions.answer.mock.calls).toEqual([
    ["chosen-request-1", "allow_once", { path: "/tmp", terms }],
  ]);
});

const looksPressable = (): boolean =>
  screen.getByTestId("consent-card").closest('[data-just-replaced="true"]') === null;

test("after an answer the next one is open, and a second press answers nothing for a moment, as is seen", async () => {
  const [first, second] = [copying(1), copying(2)];
  const actions = fakeActions();
  const { rerender } = draw(inLanguage(<List cards={[first, second]} actions={actions} />));
  await arm();
  expect(looksPressable()).toBe(true);
  rerender(inLanguage(<List cards={[second]} actions={actions} />));
  expect(focusedCard()).toBe("request-2");
  expect(looksPressable()).toBe(false);
  fireEvent.click(screen.getByTestId("consent-deny"), { detail: 2 });
  expect(actions.answer).not.toHaveBeenCalled();
  await pass(500);
  expect(looksPressable()).toBe(true);
  fireEvent.click(screen.getByTestId("consent-deny"), { detail: 1 });
  await pass(0);
  expect(actions.answer.mock.calls).toEqual([["request-2", "deny"]]);
});

test.each([
  ["on", 1],
  ["beside", 2],
])("Esc %s %d cards puts them off once they are there, and answers none", async (where, count) => {
  const { actions, onLater } = drawList(...numbered(count));
  if (where === "beside") leaveCards();
  await pressEscape();
  await pass(400);
  await pressEscape();
  expect(onLater).not.toHaveBeenCalled();
  await arm();
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape", isComposing: true });
  expect(onLater).not.toHaveBeenCalled();
  await pressEscape();
  expect(onLater).toHaveBeenCalledOnce();
  expect(actions.answer).not.toHaveBeenCalled();
});

test("the next one can be denied at once by keyboard and assistive technology", async () => {
  const { actions } = drawList(...numbered(2));
  await arm();
  fireEvent.click(screen.getAllByTestId("waiting-row")[1] as Element);
  const deny = screen.getByTestId("consent-deny");
  expect(deny.getAttribute("aria-disabled")).toBe("false");
  fireEvent.click(deny, { detail: 0 });
  await pass(0);
  expect(actions.answer.mock.calls).toEqual([["request-2", "deny"]]);
});

test("one that comes back within that moment waits for it again", async () => {
  const { actions } = drawList(...numbered(2));
  await arm();
  for (const row of [1, 0]) {
    fireEvent.click(screen.getAllByTestId("waiting-row")[row] as Element);
    await pass(300);
  }
  fireEvent.click(screen.getByTestId("consent-deny"), { detail: 1 });
  await pass(0);
  expect(actions.answer).not.toHaveBeenCalled();
});

test("at the page's edge cards leave the keyboard where it is, whatever comes, goes or is pressed", async () => {
  const field = document.body.appendChild(document.createElement("textarea"));
  field.focus();
  const actions = fakeActions();
  const onLater = vi.fn();
  const list = (...cards: ConsentCard[]) => (
    <List cards={cards} actions={actions} onLater={onLater} docked />
  );
  const [first, second] = [copying(1), copying(2)];
  const { rerender } = draw(inLanguage(list(first)));
  rerender(inLanguage(list(first, second)));
  await arm();
  await pressEscape();
  rerender(inLanguage(list(second)));
  await pass(1_000);
  expect(document.activeElement).toBe(field);
  expect(actions.answer).not.toHaveBeenCalled();
  expect(onLater).not.toHaveBeenCalled();
  field.remove();
});

test("denying all is offered for the open request's agent, where that asks several things", () => {
  const { actions } = drawList(...numbered(2), copying(9, { agent_id: "agent-2" }));
  fireEvent.click(screen.getAllByTestId("waiting-row")[2] as Element);
  expect(screen.queryByTestId("consent-deny-all")).toBe(null);
  fireEvent.click(screen.getAllByTestId("waiting-row")[1] as Element);
  fireEvent.click(screen.getByTestId("consent-deny-all"));
  expect(actions.answerGroup.mock.calls).toEqual([
    [
      [
        { request_id: "request-1", answer: "deny" },
        { request_id: "request-2", answer: "deny" },
      ],
    ],
  ]);
});

test("what came together is one card, others of its agent are not on it, and denying all denies both", () => {
  const { actions } = drawList(
    ...numbered(2, { tool_name: "read_file" }),
    copying(3, { sensitivity: "high" }),
  );
  expect(screen.getByTestId("consent-listed").children).toHaveLength(2);
  expect(screen.getByTestId("consent-card").textContent).toContain("1 of 2");
  fireEvent.click(screen.getByTestId("consent-deny-all"));
  const denied = ["request-1", "request-2", "request-3"].map((request_id) => ({
    request_id,
    answer: "deny",
  }));
  expect(actions.answerGroup.mock.calls).toEqual([[denied]]);
});

test("a card that shows all that wait has no list beside it, nor another button to deny them", () => {
  drawList(...numbered(2, { tool_name: "read_file" }));
  expect(screen.queryByTestId("waiting-list")).toBe(null);
  expect(screen.queryByTestId("consent-deny-all")).toBe(null);
});

test("a request that cannot be drawn can be denied and not allowed; the others stand", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const broken = { ...cardOf({ request_id: "request-2" }), answers: undefined as never };
  const { actions } = drawList(...numbered(1), broken);
  fireEvent.click(screen.getAllByTestId("waiting-row")[1] as Element);
  const failed = screen.getByTestId("consent-failed");
  expect(failed.querySelectorAll("button")).toHaveLength(1);
  fireEvent.click(screen.getByTestId("consent-failed-deny"));
  await pass(0);
  expect(actions.answer.mock.calls).toEqual([["request-2", "deny"]]);
});

test.each(["just after", "before"])(
  "a dialog that is opened %s another card is keeps the keyboard, and Esc is for it",
  async (when) => {
    const actions = fakeActions();
    const onLater = vi.fn();
    const page = (cards: readonly ConsentCard[]) =>
      inLanguage(
        <>
          {/* As where the cards lie over the page: no dialog takes the keyboard back from them. */}
          <div data-react-aria-top-layer="true">
            <List cards={cards} actions={actions} onLater={onLater} />
          </div>
          <KeySheet keys={[]} />
        </>,
      );
    const [first, second] = numbered(2);
    if (first === undefined || second === undefined) throw new Error("two were made");
    const { rerender } = draw(page([first, second]));
    await pass(100);
    const key = (name: string) =>
      fireEvent.keyDown(document.activeElement ?? document.body, { key: name });
    if (when === "just after") key("j");
    key("?");
    if (when === "before") rerender(page([second]));
    await pass(100);
    expect(openCards()).toEqual(["request-2"]);
    const sheet = screen.getByTestId("key-sheet");
    expect(sheet.contains(document.activeElement)).toBe(true);
    await arm();
    await pressEscape();
    expect(screen.queryByTestId("key-sheet")).toBe(null);
    expect(onLater).not.toHaveBeenCalled();
    expect(actions.answer).not.toHaveBeenCalled();
  },
);
