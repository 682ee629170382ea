/** Everything of the person's: exported, removed and imported from the settings. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { choose as chooseOption } from "./support/choose.ts";
import { expect, test } from "./support/fixtures.ts";

test("what was exported is there again after all data was removed and the file was imported", async ({
  stage,
  host,
}) => {
  const { agent } = await stage.connectedAgent(["filesystem:read"]);
  await agent.send("a word to keep");
  await expect(stage.program.main.getByTestId("nav-unread")).toContainText("1 unread message");
  const rules = await stage.open("permissions");
  await rules.getByTestId("rule-new").click();
  await chooseOption(rules.getByTestId("rule-effect"), "deny");
  await chooseOption(rules.getByTestId("rule-covers"), "read_file");
  await rules.getByTestId("rule-path").fill("/home/ada/secret");
  await chooseOption(rules.getByTestId("rule-time"), "always");
  await rules.getByTestId("rule-save").click();
  await expect(rules.getByTestId("rule-row")).toHaveCount(1);
  const before = await stage.open("agents");
  await before.getByTestId("agent-menu").click();
  await before.getByTestId("agent-suspend").click();
  await expect(before.getByTestId("agent-suspended")).toBeVisible();
  const main = await stage.open("settings");
  const file = join(stage.home, "data.consentry");
  await stage.program.saveAs(file, () => main.getByTestId("own-data-export").click());
  await main.getByTestId("own-data-remove").click();
  await main.getByTestId("own-data-remove-dialog-cancel").click();
  expect(existsSync(stage.dataDir)).toBe(true);
  await main.getByTestId("own-data-remove").click();
  await main.getByTestId("own-data-remove-dialog-confirm").click();
  await expect.poll(() => existsSync(stage.dataDir)).toBe(false);
  if (host === "browser") {
    await expect(main.getByTestId("data-removed")).toBeVisible();
    await expect(main.getByTestId("disconnected-banner")).toHaveCount(0);
    await expect(main.getByTestId("failure")).toHaveCount(0);
  }
  await agent.kill();
  await stage.program.stop().catch(() => {});
  await stage.start();
  const agents = await stage.open("agents");
  await expect(agents.getByTestId("agent-section")).toHaveCount(0);
  const settings = await stage.open("settings");
  const choose = async (path: string): Promise<void> => {
    const choosing = settings.waitForEvent("filechooser");
    await settings.getByTestId("own-data-import").click();
    await (await choosing).setFiles(path);
  };
  const cut = join(stage.home, "cut.jsonl");
  writeFileSync(cut, readFileSync(file, "utf8").slice(0, 200));
  await choose(cut);
  await expect(settings.getByTestId("own-data-import-said")).toContainText("Line 2");
  await choose(file);
  const dialog = settings.getByTestId("own-data-import-dialog");
  await expect(dialog).toContainText("Messages: 1");
  await settings.getByTestId("own-data-import-confirm").click();
  await expect(settings.getByTestId("own-data-import-said")).toContainText("Imported");

  const talks = await stage.open("conversations");
  await talks.getByTestId("conversation-row").filter({ hasText: "End-to-end agent" }).click();
  await expect(talks.getByTestId("message")).toContainText("a word to keep");

  await stage.open("home");
  await stage.connectedAgent([], "Another agent");
  const permissions = await stage.open("permissions");
  await expect(permissions.getByTestId("grant-row")).toHaveCount(0);
  await permissions.getByTestId("former-give").click();
  await permissions.getByTestId("former-agent-choice").getByRole("button").click();
  await permissions.getByRole("option").first().click();
  await permissions.getByTestId("former-confirm").click();
  await expect(permissions.getByTestId("grant-row")).toHaveCount(1);
  await expect(permissions.getByTestId("rule-row-about")).toHaveText(
    "/home/ada/secret, and everything in it if it is a folder",
  );
  await expect(permissions.getByTestId("former-agents")).toHaveCount(0);
  // It was suspended, so it does not come back otherwise.
  await stage.open("agents");
  await expect(permissions.getByTestId("agent-suspended")).toBeVisible();
});
