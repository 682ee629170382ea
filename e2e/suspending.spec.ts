/** Suspending one agent: from its card and from its line in the log; what it and the person see. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { axeFindings } from "./support/axe-findings.ts";
import { expect, test } from "./support/fixtures.ts";

test.setTimeout(120_000);

const REVOKED = { error: { reason: "permission_revoked" } };
/** Of the hub: nothing goes between the two. Until it has heard of it, of Consentry itself. */
const HELD = { error: { code: expect.stringMatching(/^(?:NOT_A_MEMBER|denied)$/) } };

test("a suspended agent is served nothing, on every page it stands, and a restart changes nothing", async ({
  stage,
  host,
}) => {
  const folder = stage.folderWith({});
  const { agent } = await stage.connectedAgent();
  const { main } = stage.program;
  const argv = ["sh", "-c", "touch started; sleep 60; touch ended"];
  const running = agent.call("run_command", { argv, directory: folder });
  await stage.press("consent-allow-once");
  await expect.poll(() => existsSync(join(folder, "started")), { timeout: 30_000 }).toBe(true);
  // In the browser host a waiting card covers the page, so that nothing else can be done there.
  const waits = host === "browser" ? null : agent.call("write_clipboard", { text: "it waits" });
  if (waits !== null) await stage.card();

  await stage.open("agents");
  const card = main.getByTestId("agent-section");
  await card.getByTestId("agent-menu").click();
  await main.getByTestId("agent-suspend").click();
  await expect(card.getByTestId("agent-suspended")).toContainText("This agent is suspended");
  await expect(card).toHaveAttribute("data-relation", "suspended");
  await stage.noCard();
  expect(await axeFindings(main, "a suspended agent")).toEqual([]);
  expect(await agent.call("send_notification", { title: "Hello" })).toMatchObject(HELD);
  const line = await stage.logLine({ tool: "run_command", reason: "permission_revoked" });
  await expect(line).toHaveCount(1);
  // Its permissions are kept.
  await expect(line).toContainText("Suspended or revoked");
  expect(existsSync(join(folder, "ended"))).toBe(false);

  await stage.open("home");
  await expect(main.getByTestId("agent-state")).toHaveText("Suspended");
  await stage.open("conversations");
  const row = main.getByTestId("conversation-row").filter({ hasText: "End-to-end agent" });
  // Whether it is online says nothing while it is suspended.
  await expect(row).toContainText("Suspended");
  await expect(row).not.toContainText("Online");
  await row.click();
  await expect(main.getByTestId("composer-blocked")).toContainText("suspended");
  await expect(main.getByTestId("agent-state")).toHaveText("Suspended");

  expect(await stage.program.stop()).toBe(0);
  await stage.start();
  const again = stage.program.main;
  await stage.open("agents");
  await expect(again.getByTestId("agent-suspended")).toBeVisible();
  await stage.open("conversations");
  await again.getByTestId("conversation-row").filter({ hasText: "End-to-end agent" }).click();
  await again.getByTestId("composer-blocked").getByTestId("resume-agent").click();
  await expect(again.getByTestId("composer")).toBeVisible();
  // What it had asked before is answered now.
  expect(await running).toMatchObject(REVOKED);
  if (waits !== null) expect(await waits).toMatchObject(REVOKED);
  const shown = await agent.call("send_notification", { title: "Back" });
  expect(shown).toMatchObject({ result: { shown: true } });
});

test("an agent is suspended from its line in the log, and resumed there", async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  const notify = () => agent.call("send_notification", { title: "Hello" });
  expect(await notify()).toMatchObject({ result: { shown: true } });
  const line = await stage.logLine({ tool: "send_notification", status: "ok" });
  await line.click();
  const details = stage.program.main.getByTestId("activity-details");
  await details.getByTestId("suspend-agent").click();
  await expect(details.getByTestId("resume-agent")).toBeEnabled();
  expect(await notify()).toMatchObject(HELD);
  await details.getByTestId("resume-agent").click();
  await expect(details.getByTestId("suspend-agent")).toBeEnabled();
  expect(await notify()).toMatchObject({ result: { shown: true } });
});
