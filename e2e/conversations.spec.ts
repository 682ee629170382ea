import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";
import { press } from "./support/stage.ts";

test("text goes both ways, and is counted while it is unread", async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  const { main } = stage.program;
  await agent.send("Hello, **person**.");
  await expect(main.getByTestId("nav-unread")).toContainText("1 unread message");
  await stage.open("conversations");
  await main.getByTestId("conversation-row").filter({ hasText: "End-to-end agent" }).click();
  await expect(main.getByTestId("message")).toContainText("Hello, person.");
  await main.bringToFront();
  await expect(main.getByTestId("nav-unread")).toHaveCount(0);

  const heard = agent.hear();
  await main.getByTestId("composer").fill("Hello, agent.");
  await main.getByTestId("composer").press("Enter");
  expect(await heard).toMatchObject({ type: "text", text: "Hello, agent." });
  const own = main.getByTestId("message").filter({ hasText: "Hello, agent." });
  await expect(own).toHaveAttribute("data-state", "sent");
});

test("a text is seen while it is written, and once when it is whole", async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  const { main } = stage.program;
  await stage.open("conversations");
  await main.getByTestId("conversation-row").filter({ hasText: "End-to-end agent" }).click();
  await expect(main.getByTestId("thread-beginning")).toBeVisible();
  await agent.stream(["One, ", "two, "]);
  await expect(main.getByTestId("stream")).toContainText("One, two,");
  await agent.stream(["three."], "One, two, three.");
  await expect(main.getByTestId("message")).toContainText("One, two, three.");
  await expect(main.getByTestId("stream")).toHaveCount(0);
  await expect(main.getByTestId("message")).toHaveCount(1);
});

test("a call's card waits, runs, and is cancelled where it stands", async ({ stage }) => {
  const folder = stage.folderWith({});
  const { agent, credentials } = await stage.connectedAgent();
  const { main } = stage.program;
  await stage.open("conversations");
  await main.getByTestId("conversation-row").filter({ hasText: "End-to-end agent" }).click();
  await expect(main.getByTestId("thread-beginning")).toBeVisible();
  const argv = ["sh", "-c", "touch started; sleep 60; touch ended"];
  const called = agent.call("run_command", { argv, directory: folder });
  const card = main.getByTestId("call-entry");
  await expect(card).toHaveAttribute("data-status", "waiting");
  await press((await stage.card()).getByTestId("consent-allow-once"));
  await expect(card).toHaveAttribute("data-status", "running");
  await expect.poll(() => existsSync(join(folder, "started"))).toBe(true);
  await card.getByTestId("call-asked").click();
  await expect(card.getByTestId("call-arguments")).toContainText("touch started; sleep 60");
  // By a key: what was unfolded moves the rest.
  await card.getByTestId("call-cancel").press("Enter");
  expect(await called).toMatchObject({ error: { reason: "cancelled" } });
  await expect(card).toHaveAttribute("data-status", "cancelled");
  await expect(card.getByTestId("call-open")).toContainText("touch started");
  expect(existsSync(join(folder, "ended"))).toBe(false);

  // The messages go; the card stays with its line in the log, which says the command and nothing else.
  await main.getByTestId("delete-history").click();
  const dialog = main.getByTestId("delete-history-dialog");
  await expect(dialog).toContainText("The cards of calls stay as long as the log");
  await main.getByTestId("delete-history-dialog-confirm").click();
  await expect(dialog).toHaveCount(0);
  await expect(card).toHaveAttribute("data-status", "cancelled");
  await expect(card).toContainText("touch started");
  await card.getByTestId("call-open").click();
  await card.getByTestId("call-asked").click();
  await expect(card.getByTestId("call-not-kept")).toBeVisible();

  // Where the log does not keep it, nothing of what was asked is left.
  await stage.open("settings");
  await main.getByTestId("settings-log-targets").click();
  await stage.openConversation(credentials);
  await expect(card).toHaveAttribute("data-status", "cancelled");
  await expect(card).not.toContainText("touch started");
  await card.getByTestId("call-open").click();
  await card.getByTestId("call-log-link").click();
  await expect(main.getByTestId("activity-row")).toContainText("Cancelled");
});

test("the system's conversation opens an agent's form when asked, and helps with anything else", async ({
  stage,
}) => {
  await stage.connectedAgent(undefined, "DemoBot");
  const { main } = stage.program;
  await stage.open("conversations");
  await main.locator('[data-testid="conversation-row"][data-kind="system"]').click();
  const ask = async (text: string) => {
    await main.getByTestId("composer").fill(text);
    await main.getByTestId("composer").press("Enter");
  };
  await ask("What is the weather like?");
  await expect(main.getByTestId("system-answer")).toContainText("Update DemoBot’s manifest");
  await expect(main.getByTestId("manifest-text")).toBeHidden();
  await ask("更新 DemoBot 的 Capability Manifest");
  await expect(main.getByTestId("system-answer").last()).toContainText("manifest of DemoBot");
  await expect(main.getByTestId("manifest-text")).toBeVisible();
});

test("an agent's manifest is checked, compared and applied in the system's conversation", async ({
  stage,
}) => {
  await stage.connectedAgent();
  const { main } = stage.program;
  await stage.open("conversations");
  await main.locator('[data-testid="conversation-row"][data-kind="system"]').click();
  await main.getByTestId("manifest-agent").getByRole("button").click();
  await main.locator("[data-choice]").click();
  const text = main.getByTestId("manifest-text");
  const wrong = { ...MANIFEST, agent_version: "two", schema_version: "3" };
  await text.fill(JSON.stringify(wrong, null, 2));
  await expect(main.locator('[data-pointer="/schema_version"]')).toBeVisible();
  await expect(main.getByTestId("manifest-apply")).toBeDisabled();
  await main.locator('[data-pointer="/agent_version"]').getByRole("button").click();
  await expect(text).toBeFocused();
  const at = await text.evaluate((area) => (area as HTMLTextAreaElement).selectionStart);
  expect(JSON.stringify(wrong, null, 2).slice(at)).toMatch(/^"two"/);

  const [first, ...others] = MANIFEST.tools;
  const input_schema = { ...first?.input_schema, required: ["title", "body"] };
  const next = {
    ...MANIFEST,
    agent_version: "2.0.0",
    tools: [{ ...first, input_schema }, ...others],
  };
  await text.fill(JSON.stringify(next));
  const changes = main.getByTestId("manifest-change");
  await expect(changes).toHaveCount(2);
  await expect(changes.first()).toContainText("Breaking · notification:send");
  await expect(main.getByTestId("manifest-diff")).toContainText("Tool send_notification");
  await expect(changes.last().getByRole("definition")).toHaveText(["1.0.0", "2.0.0"]);
  await main.getByTestId("manifest-apply").click();
  await expect(main.getByTestId("manifest-outcome")).toContainText("number 2 at the hub");
  await main.getByTestId("manifest-outcome").hover();
  await main.mouse.wheel(0, -5_000);
  await expect(main.getByTestId("note")).toContainText("2.0.0");
});
