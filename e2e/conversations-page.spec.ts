import { expect, sharedStage, test } from "./support/fixtures.ts";
import {
  conversation,
  member,
  message,
  mine,
  pageOf,
  ScriptedConversations,
  toolCall,
} from "./support/scripted-conversations.ts";

const shared = sharedStage();

const HOSTILE = [
  "# Report",
  "**bold** <img src=https://beacon.example/1.png onerror=alert(1)> <script>alert(2)</script>",
  "![cat](https://beacon.example/2.png) [my bank](https://evil.example/login?id=7)",
  "[run](javascript:alert(3)) a\u202eb",
].join("\n\n");

test("what an agent writes is Markdown that neither loads, leads nor hides anything", async () => {
  const stage = shared();
  const { main } = stage.program;
  const foreign: string[] = [];
  main.on("request", (request) => {
    if (request.url().includes(".example")) foreign.push(request.url());
  });
  await ScriptedConversations.open(stage, [message(1, HOSTILE)]);
  const bubble = main.getByTestId("message");
  await expect(bubble.getByRole("heading", { name: "Report" })).toBeVisible();
  await expect(bubble.locator("strong")).toHaveText("bold");
  for (const text of [
    "<script>alert(2)</script>",
    "https://beacon.example/2.png",
    "https://evil.example/login?id=7",
    "javascript:alert(3)",
    "\\u{202e}",
  ]) {
    await expect(bubble).toContainText(text);
  }
  await expect(bubble.locator("a, img, script, iframe, [href], [src]")).toHaveCount(0);
  expect(foreign).toEqual([]);
});

test("Enter sends, Shift and Enter begins a line, and a refused message can be sent again", async () => {
  const stage = shared();
  const { main } = stage.program;
  const script = await ScriptedConversations.open(stage);
  const composer = main.getByTestId("composer");
  await composer.click();
  await main.keyboard.type("one");
  await main.keyboard.press("Shift+Enter");
  await main.keyboard.type("two");
  await main.keyboard.press("Enter");
  await expect(composer).toHaveValue("");
  const [sent] = script.askedFor("conversations.send");
  expect(sent).toMatchObject({ conversation_id: "c1", text: "one\ntwo" });

  const { client_message_id } = sent ?? {};
  const parts = { item_id: "own", client_message_id, seq: null };
  script.items("c1", mine(1, "one\ntwo", { ...parts, state: { kind: "sending" } }));
  await expect(main.getByTestId("message")).toHaveAttribute("data-state", "sending");
  const state = { kind: "refused", code: "RATE_LIMITED" };
  script.items("c1", mine(1, "one\ntwo", { ...parts, state }));
  await expect(main.getByTestId("message")).toContainText("too many messages in a short time");
  await main.getByTestId("send-again").click();
  await expect.poll(() => script.askedFor("conversations.send")).toHaveLength(2);
  expect(script.askedFor("conversations.send")[1]).toMatchObject({
    text: "one\ntwo",
    client_message_id,
  });
  script.items("c1", mine(1, "one\ntwo", { ...parts, seq: 1, state: { kind: "sent" } }));
  await expect(main.getByTestId("message")).toHaveAttribute("data-state", "sent");
  await expect(main.getByTestId("message")).toHaveCount(1);
});

test("who writes is named while they do, and their text is Markdown from the first word", async () => {
  const stage = shared();
  const { main } = stage.program;
  const script = await ScriptedConversations.open(stage);
  await expect(main.getByTestId("thread-beginning")).toBeVisible();
  const until = Number.MAX_SAFE_INTEGER;
  const named = { conversation_id: "c1", sender_id: "ada" };
  script.tell("conversation.typing", { ...named, until });
  await expect(main.getByTestId("typing")).toHaveText("Ada is writing…");
  const stream = { ...named, stream_id: "s1", at: 1 };
  script.tell("conversation.stream", { ...stream, kind: "delta", text: "The **answer**" });
  await expect(main.getByTestId("stream").locator("strong")).toHaveText("answer");
  script.tell("conversation.typing", { ...named, until: null });
  await expect(main.getByTestId("typing")).toHaveText("");
});

test("a call is a card that waits, runs, can be cancelled and leads to its line", async () => {
  const stage = shared();
  const { main } = stage.program;
  const script = await ScriptedConversations.open(stage);
  script.answers.set("running.cancel", () => null);
  await expect(main.getByTestId("thread-beginning")).toBeVisible();
  script.items("c1", toolCall("waiting"));
  const card = main.getByTestId("call-entry");
  await expect(card).toContainText("Waiting for you");
  await expect(card).toContainText("Read files and folders");
  await expect(card.getByTestId("call-cancel")).toHaveCount(0);
  script.items("c1", toolCall("running", { at: Date.now() }));
  await expect(card.getByTestId("call-elapsed")).toHaveText(/^\d+ sec$/);
  await card.getByTestId("call-cancel").click();
  expect(script.askedFor("running.cancel")).toEqual([{ agent_id: "ada", call_id: "call-1" }]);
  script.items("c1", toolCall("cancelled", { reason: "cancelled" }));
  await expect(card).toContainText("Cancelled");
  await expect(card.getByTestId("call-cancel")).toHaveCount(0);
  // It is over: one line until it is opened.
  await expect(card.getByTestId("call-log-link")).toHaveCount(0);
  await card.getByTestId("call-open").click();
  await expect(card.getByTestId("call-given")).toHaveCount(0);
  script.failing.add("calls.recall");
  await card.getByTestId("call-asked").click();
  await expect(card.getByTestId("read-failure")).toBeVisible();
  script.failing.delete("calls.recall");
  script.answers.set("calls.recall", () => null);
  await card.getByTestId("read-again").click();
  await expect(card.getByTestId("call-not-kept")).toContainText("no longer in memory");
  await card.getByTestId("call-log-link").click();
  await expect(main).toHaveURL(/#\/activity\?agent=ada&find=call-1$/);
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Activity");
});

test("the conversation has the width that a wide window leaves it", async () => {
  const stage = shared();
  const { main } = stage.program;
  await ScriptedConversations.open(stage);
  await main.setViewportSize({ width: 2560, height: 1300 });
  const log = main.getByTestId("thread-log");
  await expect.poll(async () => (await log.boundingBox())?.width).toBeGreaterThan(1_500);
});

test("unread messages are counted, marked, and told to have been read once they were seen", async () => {
  const stage = shared();
  const { main } = stage.program;
  const unread = conversation({ unread: 2 });
  const script = await ScriptedConversations.on(main, [unread]);
  script.answers.set("conversations.page", () => pageOf([message(1, "one"), message(2, "two")]));
  await expect(main.getByTestId("nav-unread")).toContainText("2 unread messages");
  await stage.open("conversations");
  expect(script.askedFor("conversations.mark_read")).toEqual([]);
  await main.getByTestId("conversation-row").click();
  await expect(main.getByTestId("thread-unread")).toBeVisible();
  await expect
    .poll(() => script.askedFor("conversations.mark_read"))
    .toEqual([{ conversation_id: "c1", seq: 2 }]);
  script.tell("conversations.changed", [conversation()]);
  await expect(main.getByTestId("nav-unread")).toHaveCount(0);
});

test("a group says that tools are off, and an ended relation why nothing can be written", async () => {
  const stage = shared();
  const { main } = stage.program;
  const members = [member("ada", "Ada"), member("ben", "Ben\u202e")];
  const group = conversation({ conversation_id: "g", kind: "group", title: null, members });
  const paused = conversation({ conversation_id: "p", title: "Paused", relation: "suspended" });
  await ScriptedConversations.on(main, [group, paused]);
  await stage.open("conversations");
  const rows = main.getByTestId("conversation-row");
  await expect(rows.first()).toContainText("Ada, Ben\\u{202e}");
  await rows.first().click();
  await expect(main.getByTestId("tools-off")).toContainText("Tools are off in groups");
  await expect(main.getByTestId("composer")).toBeVisible();
  await rows.last().click();
  await expect(main.getByTestId("tools-off")).toHaveCount(0);
  await expect(main.getByTestId("composer-blocked")).toContainText("This agent is suspended");
});

test("however long its name is, the list shows whether an agent is online", async () => {
  const stage = shared();
  const { main } = stage.program;
  await ScriptedConversations.open(stage, [], [conversation({ title: "Ada ".repeat(40) })]);
  const row = main.getByTestId("conversation-row");
  await expect(row.locator(".conversation-online > .dot")).toBeInViewport();
});

test("the number of unread messages stays within the navigation, however wide its words are", async () => {
  const stage = shared();
  const { main } = stage.program;
  await ScriptedConversations.open(stage, [], [conversation({ unread: 100 })]);
  const navigation = main.getByRole("navigation");
  await navigation.evaluate((element) => {
    element.style.letterSpacing = "0.2em";
  });
  const count = await main.getByTestId("nav-unread").boundingBox();
  const around = await navigation.boundingBox();
  const endOf = (box: typeof around) => (box?.x ?? 0) + (box?.width ?? 0);
  expect(endOf(count)).toBeLessThan(endOf(around));
});
