/** Everything of the person's: removed from the settings, in both hosts. */
import { existsSync } from "node:fs";
import { expect, test } from "./support/fixtures.ts";

test("removing all data ends the program and leaves nothing; the next start is a first one", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const main = await stage.open("settings");
  await main.getByTestId("own-data-remove").click();
  await main.getByTestId("own-data-remove-dialog-cancel").click();
  expect(existsSync(stage.dataDir)).toBe(true);
  await main.getByTestId("own-data-remove").click();
  await main.getByTestId("own-data-remove-dialog-confirm").click();
  await expect.poll(() => existsSync(stage.dataDir)).toBe(false);
  await agent.kill();
  await stage.program.stop().catch(() => {});
  await stage.start();
  const agents = await stage.open("agents");
  await expect(agents.getByTestId("agent-card")).toHaveCount(0);
});
