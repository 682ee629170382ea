import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./support/fixtures.ts";

const SETTINGS = '{\n  // kept\n  "mcpServers": {\n    "other": { "command": "other" }\n  }\n}\n';

test("an app is connected with one look at the exact change, and its file given back", async ({
  stage,
}) => {
  const file = join(stage.home, ".cursor", "mcp.json");
  mkdirSync(join(stage.home, ".cursor"));
  writeFileSync(file, SETTINGS);
  const main = await stage.open("agents");
  const row = main.getByTestId("app-cursor-tools");
  await expect(row).toHaveAttribute("data-state", "not_connected");
  await expect(main.getByTestId("app-zed-tools")).toHaveCount(0);

  await row.getByTestId("connect-cursor-tools").click();
  const dialog = main.getByTestId("app-change");
  await expect(dialog).toContainText(file);
  await expect(dialog.locator('tr[data-kind="added"]')).toContainText(['"consentry": {']);
  expect(readFileSync(file, "utf8")).toBe(SETTINGS);

  await dialog.getByTestId("app-change-write").click();
  await expect(row).toHaveAttribute("data-state", "connected");
  await expect(main.getByTestId("app-cursor").getByRole("status")).toContainText("Restart Cursor");
  expect(readFileSync(file, "utf8")).toContain(stage.dataDir);
  expect(readFileSync(`${file}.before-consentry`, "utf8")).toBe(SETTINGS);

  await row.getByTestId("disconnect-cursor-tools").click();
  await expect(dialog.locator('tr[data-kind="removed"]')).toContainText(['"consentry": {']);
  await dialog.getByTestId("app-change-write").click();
  await expect(row).toHaveAttribute("data-state", "not_connected");
  expect(readFileSync(file, "utf8")).toBe(SETTINGS);
});

test("an agent found here is protected from Home: one press, one look at every change, one write", async ({
  stage,
}) => {
  mkdirSync(join(stage.home, ".claude"));
  writeFileSync(join(stage.home, ".claude.json"), "{}");
  const { main } = stage.program;
  const found = main.getByTestId("found-claude-code");
  await expect(found).toContainText("Claude Code");
  await expect(found).toContainText("not protected");
  await found.getByTestId("protect-claude-code").click();
  const dialog = main.getByTestId("app-change");
  await expect(dialog).toContainText("What Claude Code would ask you is then asked here too");
  const tools = join(stage.home, ".claude.json");
  const hooks = join(stage.home, ".claude", "settings.json");
  for (const file of [tools, hooks]) await expect(dialog).toContainText(file);
  expect(readFileSync(tools, "utf8")).toBe("{}");
  await dialog.getByTestId("app-change-write").click();
  await expect(found.getByRole("status")).toContainText("Restart Claude Code");
  await expect(found.getByTestId("protect-claude-code")).toHaveCount(0);
  expect(readFileSync(tools, "utf8")).toContain("consentry");
  expect(readFileSync(hooks, "utf8")).toContain("hook");
});

test("an entry that somebody changed or removed, and a file changed meanwhile, are seen", async ({
  stage,
}) => {
  const file = join(stage.home, ".cursor", "mcp.json");
  mkdirSync(join(stage.home, ".cursor"));
  writeFileSync(file, SETTINGS);
  const main = await stage.open("agents");
  const row = main.getByTestId("app-cursor-tools");
  const dialog = main.getByTestId("app-change");
  await row.getByTestId("connect-cursor-tools").click();
  await expect(dialog.getByTestId("app-change-write")).toBeEnabled();
  writeFileSync(file, "{}");
  await dialog.getByTestId("app-change-write").click();
  await expect(main.getByTestId("app-cursor").getByRole("status")).toContainText(
    "has changed since",
  );
  expect(readFileSync(file, "utf8")).toBe("{}");

  await row.getByTestId("connect-cursor-tools").click();
  await dialog.getByTestId("app-change-write").click();
  await expect(row).toHaveAttribute("data-state", "connected");
  const states = [
    [(text: string) => text.replace(stage.dataDir, "/elsewhere"), "changed"],
    [() => "{}", "removed"],
    [() => "{ half", "not_editable"],
  ] as const;
  for (const [change, state] of states) {
    writeFileSync(file, change(readFileSync(file, "utf8")));
    await stage.open("home");
    await stage.open("agents");
    await expect(row).toHaveAttribute("data-state", state);
  }
});
