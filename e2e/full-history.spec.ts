import { fillHistories } from "./support/fill-histories.ts";
import { expect, test } from "./support/fixtures.ts";

test("a history that is full is told of, and its notice leads to where there is room to be made", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent([]);
  await agent.send("a first word");
  await stage.open("conversations");
  const row = stage.program.main.getByTestId("conversation-row").first();
  await expect(row).toContainText("a first word");
  await stage.program.stop();
  fillHistories(stage.dataDir);
  const { main } = await stage.start();
  const notice = main.locator('[data-testid="notice"][data-code="history_full"]');
  await expect(notice).toBeVisible();
  await agent.send("one word too many");

  await notice.getByRole("link", { name: "End-to-end agent" }).click();
  await expect(main.getByTestId("thread")).toContainText("a first word");
  await main.getByTestId("delete-history").click();
  await main.getByTestId("delete-history-dialog-confirm").click();
  await expect(notice).toHaveCount(0);
  await agent.send("there is room again");
  await expect(main.getByTestId("thread")).toContainText("there is room again");
  // What was refused never comes, for it would have come before.
  await expect(main.getByTestId("thread")).not.toContainText("one word too many");
});
