/** Pausing all agents: who waits, who runs, what new calls get, what the person sees. */
import { expect, test } from "./support/fixtures.ts";

const REFUSED = { error: { reason: "user_refused" } };

test("while paused every call is refused, on every page it stands, and a restart changes nothing", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const waiting = agent.call("write_clipboard", { text: "asked before the pause" });
  await stage.card();
  // In the browser host the page lies under the cards, which have a button of their own.
  await stage.program.main.getByTestId("pause-all").last().click();
  expect(await waiting).toMatchObject(REFUSED);
  await expect(stage.program.cards.getByTestId("consent-card")).toHaveCount(0);
  expect(await agent.call("send_notification", { title: "Silent at other times" })).toMatchObject(
    REFUSED,
  );
  for (const page of ["home", "agents", "permissions", "activity", "settings"]) {
    await stage.program.main.getByTestId(`nav-${page}`).click();
    await expect(stage.program.main.getByTestId("paused-banner")).toBeVisible();
  }
  await expect(stage.program.main.getByTestId("settings-pause")).toBeChecked();
  await expect(await stage.logLine({ "decided-by": "paused" })).toHaveCount(2);

  expect(await stage.program.stop()).toBe(0);
  await stage.start();
  await expect(stage.program.main.getByTestId("paused-banner")).toBeVisible();
  expect(await agent.call("send_notification", { title: "Still silent" })).toMatchObject(REFUSED);

  await stage.program.main.getByTestId("paused-resume").click();
  await expect(stage.program.main.getByTestId("paused-banner")).toHaveCount(0);
  expect(await agent.call("send_notification", { title: "Shown again" })).toMatchObject({
    result: { shown: true },
  });
});
