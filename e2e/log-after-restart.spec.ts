/** What the log says of calls once the program that served them is gone. */
import { expect, test } from "./support/fixtures.ts";

test("after a restart lines say what happened, a word of a command finds them, and none is kept once that is off", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  await agent.call(
    "run_command",
    { argv: ["npm", "publish"], directory: "/home/ada/shop", x: 1 },
    { callId: "npm" },
  );
  await agent.call("write_clipboard", { text: "a secret", x: 1 }, { callId: "copy" });
  expect(await stage.program.stop()).toBe(0);
  await stage.start();

  const { main } = stage.program;
  await main.getByTestId("nav-activity").click();
  const row = (id: string) => main.locator(`[data-testid=activity-row][data-call-id=${id}]`);
  await expect(row("copy")).not.toContainText("secret");
  await main.getByTestId("activity-find").fill("npm");
  await expect(main.getByTestId("activity-row")).toHaveCount(1);
  await expect(row("npm")).toContainText("npm publish");

  await main.getByTestId("nav-settings").click();
  await main.getByTestId("settings-log-targets").click();
  await main.getByTestId("nav-activity").click();
  await main.getByTestId("activity-find").fill("npm");
  await expect(row("npm")).not.toContainText("npm publish");
});
