import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "./support/fixtures.ts";
import { press } from "./support/stage.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

test("a newcomer starts the sample agent with one click and answers real prompts", async ({
  stage,
}) => {
  const { main, cards } = stage.program;
  await main.getByTestId("start-sample-agent").click();
  const pairing = main.getByTestId("pairing-card");
  await expect(pairing).toContainText("It comes with Consentry");
  await pairing.getByTestId("pairing-accept").click();
  // That one click leads into the conversation with it.
  await expect(main.getByTestId("thread")).toContainText("Sample agent");
  for (const tool of ["list_directory", "read_file", "read_clipboard"]) {
    const card = cards.locator(`[data-testid="consent-card"][data-tool="${tool}"]`);
    await press(card.getByTestId("consent-allow-once"));
  }
  await expect(await stage.logLine({ tool: "send_notification", status: "ok" })).toHaveCount(1);
  await expect(await stage.logLine({ tool: "list_directory", status: "ok" })).toHaveCount(1);
  await expect(await stage.logLine({ tool: "read_file", status: "ok" })).toHaveCount(1);
  await expect(await stage.logLine({ reason: "tool_not_declared" })).toHaveCount(1);
});

test("the sample agent does the same from a shell and prints what came back", {
  tag: "@once",
}, async ({ stage }) => {
  const child = spawn(
    "npm",
    ["run", "--silent", "sample-agent", "--", "--data-dir", stage.dataDir],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let printed = "";
  child.stdout.on("data", (text) => {
    printed += text;
  });
  const exited = new Promise((resolve) => child.once("close", resolve));
  const pairing = stage.program.main.getByTestId("pairing-card");
  const code = await pairing.getByTestId("pairing-code").textContent();
  await pairing.getByTestId("pairing-accept").click();
  await stage.press("consent-deny");
  await stage.deny(stage.program.cards.locator('[data-tool="read_file"]'));
  await stage.denialLeaves();
  expect(await exited).toBe(0);
  expect(printed).toContain(String(code));
  expect(printed).toContain("user_refused");
  expect(printed).toContain("tool_not_declared");
});
