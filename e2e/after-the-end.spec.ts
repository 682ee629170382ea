/** Pages and agents that outlive the program. */
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";

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

test("a page whose program has ended says so, and in the end that it is elsewhere", {
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
  await stage.start();
  await expect(async () => {
    await page.clock.runFor(10_000);
    await expect(banner).toContainText("no longer at this address", { timeout: 500 });
  }).toPass();
  await expect(banner).not.toContainText("reconnect");
  await expect(stage.program.main.locator(".hub-state")).toHaveText("Hub connected");
});
