import { axeFindings } from "./support/axe-findings.ts";
import { expect, test } from "./support/fixtures.ts";
import {
  conversation,
  member,
  message,
  mine,
  pageOf,
  ScriptedConversations,
  SYSTEM,
  toolCall,
} from "./support/scripted-conversations.ts";

const MARKDOWN =
  "# One\n\n[a](https://a.example) `code`\n\n| x | y |\n| - | - |\n| 1 | 2 |\n\n```\nlet a;\n```\n\n> b";

test("axe finds nothing in a conversation, a group, the form and the question before deleting", async ({
  stage,
}) => {
  test.setTimeout(120_000);
  await stage.connectedAgent();
  const { main } = stage.program;
  const members = [member("ada", "Ada"), member("ben", "Ben")];
  const script = await ScriptedConversations.on(main, [
    conversation({ unread: 3 }),
    conversation({ conversation_id: "g", kind: "group", title: "Two", members }),
    SYSTEM,
  ]);
  const refused = { kind: "refused", code: "INTERNAL" };
  const items = [
    message(1, MARKDOWN),
    mine(2, "Hello"),
    mine(3, "Again", { state: refused, seq: null, client_message_id: "12345678" }),
    message(4, "long ".repeat(1_000)),
    toolCall("waiting"),
    toolCall("running", { item_id: "k2" }),
    toolCall("denied", { item_id: "k3", reason: "user_refused" }),
    toolCall("ok", { item_id: "k4" }),
  ];
  const result = { value: { content: "long\u202e ".repeat(300), names: ["a", "b"] } };
  script.answers.set("calls.recall", () => ({ arguments: { path: "/home/ada/notes.md" }, result }));
  script.answers.set("conversations.page", () => pageOf(items));
  await stage.open("conversations");
  const found = [...(await axeFindings(main, "list"))];
  const rows = main.getByTestId("conversation-row");
  for (const index of [0, 1, 2]) {
    await rows.nth(index).click();
    await expect(main.getByTestId("thread-log")).toBeVisible();
    await expect(main.getByTestId("call-entry").first()).toBeVisible();
    for (const fold of ["call-open", "call-asked", "call-given"]) {
      if (index > 0) break;
      await main.getByTestId("call-entry").last().getByTestId(fold).press("Enter");
    }
    found.push(...(await axeFindings(main, `conversation ${index}`)));
  }
  await main.getByTestId("delete-history").click();
  await expect(main.getByTestId("delete-history-dialog")).toBeVisible();
  found.push(...(await axeFindings(main, "question")));
  expect(found).toEqual([]);
});

test("what arrives is read out, and what is merely scrolled into view is not", async ({
  stage,
}) => {
  const { main } = stage.program;
  const script = await ScriptedConversations.open(stage, [message(1, "Old words")]);
  await expect(main.getByTestId("message")).toHaveCount(1);
  const log = main.getByRole("log");
  await expect(log).toHaveText("");
  script.items("c1", message(2, "New\u202e words"), toolCall("waiting"));
  await expect(log).toContainText("Ada: New\\u{202e} words");
  await expect(log).toContainText("Ada asks: Read a file");
  await expect(log).not.toContainText("Old words");
});

test("a failure is read out while the dialog it came from is open", async ({ stage }) => {
  await stage.connectedAgent();
  const { main } = stage.program;
  const group = { kind: "group", title: "Two", owned: true };
  const script = await ScriptedConversations.open(stage, [], [conversation(group)]);
  script.failing.add("groups.remove_member");
  await main.getByTestId("group-menu").click();
  await main.getByTestId("group-members").click();
  await main.getByTestId("group-members-dialog").getByTestId("group-remove").click();
  await expect(main.getByTestId("failure")).toHaveAttribute("data-code", "internal_error");
  const readOut = main.locator('[role="alert"]:not(:empty):not(:is([inert], [aria-hidden]) *)');
  await expect(main.getByTestId("group-members-dialog")).toBeVisible();
  await expect(readOut).toHaveText("Something went wrong. No request was approved.");
  await main.getByTestId("group-members-done").click();
  await expect(main.getByTestId("group-members-dialog")).toHaveCount(0);
  expect(await readOut.count()).toBeLessThanOrEqual(1);
});
