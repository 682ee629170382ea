import { expect, test } from "./support/fixtures.ts";

test("an agent that is removed leaves its conversation behind when the person says so", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const { main } = stage.program;
  await agent.send("A word to remember.");
  await expect(main.getByTestId("nav-unread")).toContainText("1 unread message");

  await stage.open("agents");
  await main.getByTestId("agent-menu").click();
  await main.getByTestId("agent-rename").click();
  await main.getByTestId("rename-agent-name").fill("Archivist");
  await main.getByTestId("rename-agent-save").click();
  await stage.open("conversations");
  const row = main.getByTestId("conversation-row").filter({ hasText: "Archivist" });
  await row.click();
  await expect(main.getByTestId("thread-original-name")).toHaveText(
    "calls itself End-to-end agent",
  );

  await stage.open("agents");
  await main.getByTestId("agent-menu").click();
  await main.getByTestId("agent-remove").click();
  await expect(main.getByTestId("remove-agent-keep-history")).not.toBeChecked();
  await main.getByTestId("remove-agent-keep-history").check();
  await main.getByTestId("remove-agent-confirm").click();
  await expect(main.getByTestId("agent-section")).toHaveCount(0);

  await stage.open("conversations");
  await row.click();
  await expect(main.getByTestId("message")).toContainText("A word to remember.");
  await expect(main.getByTestId("composer")).toHaveCount(0);
});
