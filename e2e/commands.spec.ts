import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./support/fixtures.ts";

test("a command shows its arguments line by line, runs as shown and gives its output", async ({
  stage,
}) => {
  const folder = stage.folderWith({ "notes.md": "Buy milk.\n" });
  const { agent } = await stage.connectedAgent();
  const argv = ["printf", "%s|", "$HOME; ls", "two\nlines", ""];
  const called = agent.call("run_command", { argv, directory: folder });
  const card = await stage.card();
  await expect(card.locator('[data-kind="list"] li')).toHaveCount(argv.length);
  await expect(card.getByTestId("consent-sandbox")).not.toBeEmpty();
  await stage.press("consent-allow-once");
  expect(await called).toMatchObject({
    result: { exit_code: 0, stdout: "$HOME; ls|two\nlines||", stderr: "" },
  });
});

test("a running command is listed, and cancelling it ends it", async ({ stage }) => {
  const folder = stage.folderWith({});
  const { agent } = await stage.connectedAgent();
  const argv = ["sh", "-c", "touch started; sleep 60; touch ended"];
  const called = agent.call("run_command", { argv, directory: folder });
  await stage.press("consent-allow-once");
  const { main } = stage.program;
  await stage.open("home");
  await expect(main.getByTestId("running-row")).toHaveCount(1);
  await expect.poll(() => existsSync(join(folder, "started"))).toBe(true);
  await main.getByTestId("cancel-call").click();
  expect(await called).toMatchObject({
    error: { code: "TOOL_PLATFORM_ERROR", reason: "cancelled" },
  });
  await expect(main.getByTestId("running-row")).toHaveCount(0);
  expect(existsSync(join(folder, "ended"))).toBe(false);
});
