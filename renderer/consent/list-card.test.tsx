// @vitest-environment jsdom
import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { received } from "../state/store.ts";
import { ListCard } from "./list-card.tsx";
import {
  allow,
  arm,
  byHand,
  card,
  cardOf,
  draw,
  drawsCards,
  fakeActions,
  HOME,
  heading,
  inLanguage,
  pass,
  press,
} from "./testing/drawn-card.tsx";

drawsCards();

const reading = (name: string, differs: Partial<ConsentCard> = {}) =>
  cardOf({ request_id: name, arguments: { path: `${HOME}/${name}` }, ...differs });
const running = (line: string, begins: readonly string[]): ConsentCard =>
  cardOf({
    request_id: line,
    tool_name: "run_command",
    scope: "agent:command",
    arguments: { line, shell: "sh", directory: HOME },
    subject: { kind: "commands", commands: [{ program: "/usr/bin/git", begins: [...begins] }] },
    rule_subjects: [{ kind: "command", program: "/usr/bin/git", begins: [...begins] }],
  });
const ONE = reading("one.md");
const TWO = reading("two.md");

function drawListCard(...cards: readonly ConsentCard[]) {
  const actions = fakeActions();
  const page = (open: readonly ConsentCard[], connected = true) =>
    inLanguage(
      <ListCard
        open={received(open, 0)}
        position={1}
        total={1}
        connected={connected}
        actions={actions}
      />,
    );
  const { rerender } = draw(page(cards));
  return {
    actions,
    redraw: (open: readonly ConsentCard[], connected?: boolean) => rerender(page(open, connected)),
  };
}

const lines = () =>
  [...screen.getByTestId("consent-listed").children].map(({ textContent }) => textContent);
const isArmed = () => allow().getAttribute("aria-disabled") === "false";
const untick = (at: number) =>
  fireEvent.click(screen.getAllByRole("checkbox")[at] as HTMLInputElement);
const once = (request_id: string) => ({ request_id, answer: "allow_once" });

test("a line says what each of them is, and one press allows exactly these", async () => {
  const { actions } = drawListCard(ONE, TWO);
  expect(heading().textContent).toBe("Read 2 files?");
  expect(lines()).toEqual(["Read proj/one.md", "Read proj/two.md"]);
  expect(allow().textContent).toBe("Allow 2");
  await arm();
  await press("consent-allow-once");
  expect(actions.answerGroup.mock.calls).toEqual([[[once("one.md"), once("two.md")]]]);
});

test.each([
  ["what would change, whole", "edit_file", { edits: [{ old_text: "a", new_text: "b" }] }],
  ["what else was given", "read_file", { max_bytes: 7 }],
])("a line shows %s", (_, tool_name, args) => {
  const preview: ConsentCard["preview"] =
    tool_name === "read_file"
      ? null
      : {
          kind: "text_change",
          change: "edit",
          size_before: 2,
          size_after: 2,
          executable: false,
          hunks: [
            {
              old_start: 1,
              new_start: 1,
              lines: [
                { kind: "removed", text: "alpha" },
                { kind: "added", text: "beta" },
              ],
            },
          ],
        };
  drawListCard(
    ONE,
    reading("two.md", { tool_name, preview, arguments: { path: `${HOME}/two.md`, ...args } }),
  );
  const [, second] = lines();
  const shown = tool_name === "read_file" ? ["max_bytes", "7"] : ["alpha", "beta"];
  for (const each of shown) expect(second).toContain(each);
});

test("commands stand as typed, and what lasts is named, each once, with one rule for what is alike", async () => {
  const status = [running("git status", ["status"]), running("git status -s", ["status"])];
  const { actions } = drawListCard(...status, running("git log", ["log"]));
  expect(heading().textContent).toBe("Run 3 commands?");
  await arm();
  fireEvent.click(screen.getByTestId("consent-lasts-always"));
  expect(screen.getByTestId("consent-gives").textContent).toContain(
    "commands that begin with git status and commands that begin with git log",
  );
  await press("consent-allow-always");
  const [answers] = actions.answerGroup.mock.calls[0] ?? [];
  expect(answers?.map(({ rule }) => rule?.subject)).toEqual([
    { kind: "command", program: "/usr/bin/git", begins: ["status"] },
    undefined,
    { kind: "command", program: "/usr/bin/git", begins: ["log"] },
  ]);
});

test("only a time that every ticked line offers is offered", async () => {
  drawListCard(ONE, reading("two.md", { subject: null, answers: ["deny", "allow_once"] }));
  expect(screen.queryByTestId("consent-lasts")).toBe(null);
  untick(1);
  await pass(0);
  expect(screen.getByTestId("consent-lasts").textContent).toContain("This conversation");
});

test("what is not ticked is neither allowed nor denied", async () => {
  const { actions } = drawListCard(ONE, TWO, reading("three.md"));
  untick(1);
  await arm();
  expect(allow().textContent).toBe("Allow 2");
  await press("consent-allow-once");
  expect(actions.answerGroup.mock.calls).toEqual([[[once("one.md"), once("three.md")]]]);
  for (const at of [0, 2]) untick(at);
  await arm();
  await press("consent-allow-once");
  await press("consent-deny");
  expect(actions.answerGroup).toHaveBeenCalledOnce();
});

test("all that are ticked can be denied at once, without looking at each, and told why", async () => {
  const { actions } = drawListCard(ONE, TWO);
  await press("consent-deny");
  expect(actions.answerGroup.mock.calls).toEqual([
    [
      [
        { request_id: "one.md", answer: "deny" },
        { request_id: "two.md", answer: "deny" },
      ],
    ],
  ]);
  await press("consent-tell");
  fireEvent.change(screen.getByTestId("consent-tell-field"), { target: { value: "Later." } });
  await press("consent-tell-send");
  expect(actions.denyAndTell.mock.calls).toEqual([
    ["one.md", "Later."],
    ["two.md", "Later."],
  ]);
});

test("nothing is allowed before every line has been in sight, or while the host says that none is", async () => {
  const { actions, redraw } = drawListCard(ONE, TWO);
  actions.opened.mockImplementation(async (id) => id === "one.md");
  await pass(1_000);
  expect(isArmed()).toBe(false);
  await arm();
  expect(isArmed()).toBe(false);
  await press("consent-allow-once");
  expect(actions.answerGroup).not.toHaveBeenCalled();
  actions.opened.mockImplementation(async () => true);
  await pass(600);
  await arm();
  expect(isArmed()).toBe(true);
  redraw([ONE, TWO, reading("three.md")]);
  expect(lines()).toHaveLength(3);
  await pass(1_000);
  expect(isArmed()).toBe(false);
});

test("the letters do as the buttons", async () => {
  const { actions } = drawListCard(reading("by-key-1.md"), reading("by-key-2.md"));
  await arm();
  await pass(600);
  card().focus();
  await byHand(card(), "keyDown", { key: "s" });
  expect(screen.getByTestId("consent-lasts").dataset.chosen).toBe("conversation");
  await arm();
  await byHand(card(), "keyDown", { key: "a" });
  const answer = "allow_in_conversation";
  expect(actions.answerGroup.mock.calls).toEqual([
    [
      [
        { request_id: "by-key-1.md", answer },
        { request_id: "by-key-2.md", answer },
      ],
    ],
  ]);
});

test("an answer that did not arrive is said, and can be given again; without a connection there is none", async () => {
  const { actions, redraw } = drawListCard(ONE, TWO);
  actions.answerGroup.mockResolvedValueOnce("too_early");
  await arm();
  await press("consent-allow-once");
  expect(screen.getByRole("alert").textContent).not.toBe("");
  await press("consent-allow-once");
  expect(actions.answerGroup).toHaveBeenCalledTimes(2);
  redraw([ONE, TWO], false);
  await press("consent-allow-once");
  await press("consent-deny");
  expect(actions.answerGroup).toHaveBeenCalledTimes(2);
});
