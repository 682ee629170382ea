import type { Page } from "@playwright/test";
import { axeFindings } from "./support/axe-findings.ts";
import { expect, sharedStage, test } from "./support/fixtures.ts";
import {
  conversation,
  message,
  mine,
  pageOf,
  ScriptedConversations,
  SYSTEM,
} from "./support/scripted-conversations.ts";
import type { Stage } from "./support/stage.ts";

const shared = sharedStage();

const HISTORY = Array.from({ length: 300 }, (_, index) =>
  message(index + 1, `Message ${index + 1}. ${"A line of it.\n\n".repeat(index % 6)}`),
);

async function longHistory(main: Page): Promise<ScriptedConversations> {
  const script = await ScriptedConversations.on(main, [conversation()]);
  script.answers.set("conversations.page", ({ before, limit }) => {
    const end = before === undefined ? HISTORY.length : (before as { message: number }).message - 1;
    const start = Math.max(0, end - Number(limit));
    return pageOf(HISTORY.slice(start, end), start === 0 ? null : start + 1);
  });
  return script;
}

/** The long history is open, at its end. */
async function readingLongHistory(stage: Stage): Promise<ScriptedConversations> {
  const { main } = stage.program;
  const script = await longHistory(main);
  await stage.open("conversations");
  await main.getByTestId("conversation-row").click();
  await expect(main.getByText("Message 300.")).toBeInViewport();
  return script;
}

/** The row at the upper edge of the list, and how far below the edge it begins. */
const placeOf = (main: Page) =>
  main.getByTestId("thread-log").evaluate((log) => {
    const edge = log.getBoundingClientRect().top;
    const rows = [...log.querySelectorAll("[data-key]")];
    const row = rows.find((each) => each.getBoundingClientRect().bottom > edge + 1);
    return { key: row?.getAttribute("data-key"), below: row?.getBoundingClientRect().top };
  });

test("a long history is read backwards to its beginning, with few messages drawn at a time", async () => {
  const stage = shared();
  const { main } = stage.program;
  await readingLongHistory(stage);
  const log = main.getByTestId("thread-log");
  await expect(async () => {
    await log.evaluate((element) => element.scrollTo({ top: 0, behavior: "instant" }));
    await expect(main.getByTestId("thread-beginning")).toBeInViewport({ timeout: 500 });
  }).toPass({ intervals: [50] });
  await expect(main.getByText("Message 1.")).toBeInViewport();
  await expect(log).toHaveAttribute("data-items", "300");
  expect(await main.getByTestId("message").count()).toBeLessThan(60);
});

test("what is being read stays where it is while messages come, until the person asks for them", async () => {
  const stage = shared();
  const { main } = stage.program;
  const script = await readingLongHistory(stage);
  const log = main.getByTestId("thread-log");
  await log.evaluate((element) => {
    element.scrollTop -= 1_500;
  });
  await expect(log).toHaveAttribute("data-at-end", "false");
  const before = await placeOf(main);
  const own = mine(303, "My own.");
  script.items("c1", message(301, "Brand new."), message(302, "Newer still."), own);
  await expect(main.getByTestId("thread-to-end")).toHaveText("2 new");
  const after = await placeOf(main);
  expect(after.key).toBe(before.key);
  expect(Math.abs((after.below ?? 0) - (before.below ?? 0))).toBeLessThan(2);
  await main.getByTestId("thread-to-end").click();
  await expect(log.getByText("Newer still.")).toBeInViewport();
  await expect(main.getByTestId("thread-to-end")).toHaveCount(0);
});

test("what is being read stays where it is while older messages come in above it", async () => {
  const stage = shared();
  const { main } = stage.program;
  const script = await readingLongHistory(stage);
  const log = main.getByTestId("thread-log");
  script.failing.add("conversations.page");
  const retry = main.getByTestId("thread-retry");
  await expect(async () => {
    await log.evaluate((element) => element.scrollTo({ top: 400, behavior: "instant" }));
    await expect(retry).toHaveCount(1, { timeout: 500 });
  }).toPass({ intervals: [50] });
  const had = Number(await log.getAttribute("data-items"));
  await log.evaluate((element) => element.scrollTo({ top: 400, behavior: "instant" }));
  await expect.poll(async () => (await placeOf(main)).key).toBeTruthy();
  const before = await placeOf(main);
  script.failing.clear();
  await retry.dispatchEvent("click");
  await expect.poll(async () => Number(await log.getAttribute("data-items"))).toBeGreaterThan(had);
  const after = await placeOf(main);
  expect(after.key).toBe(before.key);
  expect(Math.abs((after.below ?? 0) - (before.below ?? 0))).toBeLessThan(2);
});

test("a form's field keeps the keyboard however far the person scrolls away from it", async () => {
  const stage = shared();
  const { main } = stage.program;
  const script = await readingLongHistory(stage);
  const blocks = [{ tag: "input", key: "name", label: "Name" }];
  const artifact = { revision: 1, title: null, blocks, missing: false, answer: null };
  script.items("c1", message(301, "", { content: "blocks", artifact }));
  const field = main.getByTestId("artifact-input");
  await field.focus();
  const log = main.getByTestId("thread-log");
  // While messages are still measured, the list may go back to its end.
  await expect(async () => {
    await log.evaluate((element) => element.scrollTo({ top: 0, behavior: "instant" }));
    await expect(main.getByText("Message 300.")).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  await expect(field).toBeFocused();
});

test("everything is done by keyboard, and on a narrow page the way back leads to the list", async () => {
  const stage = shared();
  const { main } = stage.program;
  const other = conversation({ conversation_id: "c2", title: "Bob" });
  const script = await ScriptedConversations.on(main, [conversation(), other]);
  await main.setViewportSize({ width: 360, height: 740 });
  await main.getByTestId("nav-conversations").focus();
  await main.keyboard.press("Enter");
  await main.getByTestId("conversation-list").focus();
  await main.keyboard.press("ArrowDown");
  await main.keyboard.press("Enter");
  await expect(main.getByRole("heading", { name: "Bob" })).toBeFocused();
  await expect(main.getByTestId("conversation-list")).toBeHidden();
  const composer = main.getByTestId("composer");
  for (let step = 0; step < 6; step += 1) {
    if (await composer.evaluate((element) => element === document.activeElement)) break;
    await main.keyboard.press("Tab");
  }
  await expect(composer).toBeFocused();
  await main.keyboard.type("hello");
  await main.keyboard.press("Enter");
  await expect.poll(() => script.askedFor("conversations.send")).toHaveLength(1);
  await expect(composer).toBeFocused();
  await main.getByTestId("thread-back").focus();
  await main.keyboard.press("Enter");
  await expect(main.getByTestId("thread")).toHaveCount(0);
  await expect(main.getByTestId("conversation-row").nth(1)).toBeFocused();
});

test("a history is deleted after a question; Escape is no, a press beside it no answer", async () => {
  const stage = shared();
  const { main } = stage.program;
  const script = await longHistory(main);
  await stage.open("conversations");
  await main.getByTestId("conversation-row").click();
  await main.getByTestId("delete-history").click();
  const cancel = main.getByTestId("delete-history-dialog-cancel");
  await expect(cancel).toBeFocused();
  await main.mouse.click(4, 4);
  await expect(cancel).toBeFocused();
  await main.keyboard.press("Escape");
  await expect(main.getByTestId("delete-history-dialog")).toHaveCount(0);
  expect(script.askedFor("conversations.delete_history")).toEqual([]);
  await main.getByTestId("delete-history").click();
  await main.getByTestId("delete-history-dialog-confirm").click();
  expect(script.askedFor("conversations.delete_history")).toEqual([{ conversation_id: "c1" }]);
  script.answers.set("conversations.page", () => pageOf([]));
  script.tell("conversation.emptied", { conversation_id: "c1" });
  await expect(main.getByTestId("thread-beginning")).toHaveText("No messages yet.");
});

test("what could not be read says so in its place, and is read again when the person asks", async () => {
  const stage = shared();
  const { main } = stage.program;
  const script = await ScriptedConversations.on(main, [conversation()]);
  for (const name of ["conversations.list", "activity.page"]) script.failing.add(name);
  await main.reload();
  const failure = main.getByTestId("read-failure");
  const again = main.getByTestId("read-again");
  await stage.open("activity");
  await expect(failure).toHaveAttribute("data-code", "internal_error");
  await stage.open("conversations");
  await expect(failure).toHaveCount(1);
  expect(await axeFindings(main, "a list that could not be read")).toEqual([]);
  script.failing.clear();
  await again.click();
  await expect(main.getByTestId("conversation-row")).toHaveCount(1);
  await expect(failure).toHaveCount(0);
});

test("a clicked notification opens its conversation", async () => {
  const stage = shared();
  const { main } = stage.program;
  const script = await ScriptedConversations.on(main, [conversation(), SYSTEM]);
  await expect(main.getByTestId("nav-home")).toHaveAttribute("aria-current", "page");
  script.tell("conversation.shown", { agent_id: "ada", conversation_id: "c1" });
  await expect(main.getByRole("heading", { level: 2, name: "Ada" })).toBeVisible();
  await expect(main.getByTestId("nav-conversations")).toHaveAttribute("aria-current", "page");
});
