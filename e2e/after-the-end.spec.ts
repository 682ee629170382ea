/** Pages and agents that outlive the program. */
import { join } from "node:path";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";

const SIZES = [
  [1100, 800],
  [380, 760],
] as const;

test("an agent that starts while the program does not run is told so in time", {
  tag: "@once",
}, async ({ stage }) => {
  const { agent, credentials } = await stage.connectedAgent();
  await agent.kill();
  const again = stage.newAgent();
  await stage.program.kill();
  const started = again.init(credentials, MANIFEST, { connectTimeoutMs: 2_000 });
  await expect(started).rejects.toMatchObject({ code: "hub_unreachable" });
  await stage.start();
  await again.init(credentials, MANIFEST);
  expect(await again.call("send_notification", { title: "Back" })).toMatchObject({
    result: { shown: true },
  });
});

test("a page whose program has ended says so, and in the end that it is no longer there", {
  tag: "@browser",
}, async ({ stage }) => {
  const page = stage.program.main;
  const hub = page.locator(".hub-state");
  const banner = page.getByTestId("disconnected-banner");
  await expect(hub).toHaveText("Hub connected");
  await page.clock.install();
  await stage.program.kill();
  await expect(banner).toContainText("Nothing can be approved here. Trying to reconnect.");
  await expect(hub).toHaveText("Hub not reachable");
  await expect(async () => {
    await page.clock.runFor(10_000);
    await expect(banner).toContainText("no longer at this address", { timeout: 500 });
  }).toPass();
  await expect(banner).not.toContainText("reconnect");
});

test("a tab of before the program's end says where it is now, and offers to go there", {
  tag: "@browser",
}, async ({ stage }) => {
  const page = stage.program.main;
  await expect(page.locator(".hub-state")).toHaveText("Hub connected");
  await stage.program.kill();
  await expect(page.getByTestId("disconnected-banner")).toBeVisible();
  await stage.start();
  const { host } = new URL(stage.program.main.url());
  const elsewhere = page.getByTestId("lost-key");
  await expect(elsewhere).toContainText(`It runs at ${host}.`);
  await elsewhere.getByTestId("open-elsewhere").click();
  await expect(elsewhere.getByRole("status")).not.toBeEmpty();
  await expect(stage.program.main.locator(".hub-state")).toHaveText("Hub connected");
});

test("that the connection is lost is said below an open card's answers", {
  tag: "@browser",
}, async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  const path = join(stage.folderWith({}), "notes.md");
  void agent.call("write_file", { path, content: "Buy milk.\n".repeat(99) }).catch(() => {});
  const card = await stage.card();
  const { cards } = stage.program;
  await stage.program.kill();
  const banner = cards.getByTestId("disconnected-banner");
  await expect(banner).toBeVisible();
  for (const [width, height] of SIZES) {
    await cards.setViewportSize({ width, height });
    const said = await banner.boundingBox();
    const deny = await card.getByTestId("consent-deny").boundingBox();
    expect((deny?.y ?? height) + (deny?.height ?? 0)).toBeLessThan(said?.y ?? 0);
  }
});

test("that the connection is lost is said below the field for a message", {
  tag: "@browser",
}, async ({ stage }) => {
  const { credentials } = await stage.connectedAgent();
  const main = await stage.openConversation(credentials);
  await expect(main.getByTestId("composer-send")).toBeVisible();
  await stage.program.kill();
  const banner = main.getByTestId("disconnected-banner");
  await expect(banner).toBeVisible();
  for (const [width, height] of SIZES) {
    await main.setViewportSize({ width, height });
    const said = await banner.boundingBox();
    const box = await main.locator(".composer").boundingBox();
    expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThan(said?.y ?? 0);
  }
});
