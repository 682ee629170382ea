/** What agents changed, taken back by the person. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import type { Stage } from "./support/stage.ts";

const HOOK = fileURLToPath(new URL("../scripts/hook.mjs", import.meta.url));
const TEXT = "Buy milk.\nCall Ada.\n";

async function withNotes(stage: Stage) {
  const folder = stage.folderWith({ "notes.md": TEXT });
  const { agent, credentials } = await stage.connectedAgent();
  const path = join(folder, "notes.md");
  const written = agent.call("write_file", { path, content: "Buy oat milk.\n" });
  await stage.opensFolder();
  await written;
  return { agent, credentials, folder, path };
}

/** From the line of the newest call like this one. */
async function takesBack(stage: Stage, tool: string): Promise<Page> {
  const main = await stage.open("activity");
  await (await stage.logLine({ tool, status: "ok" })).first().click();
  await main.getByTestId("take-back").click();
  return main;
}

test("a write is taken back from its line, after the difference was shown", async ({ stage }) => {
  const { path } = await withNotes(stage);
  const main = await takesBack(stage, "write_file");
  const dialog = main.getByTestId("take-back-dialog");
  await expect(dialog.locator('.diff tr[data-kind="removed"]')).toContainText("Buy oat milk.");
  await expect(dialog.locator('.diff tr[data-kind="added"]').first()).toContainText("Buy milk.");
  await dialog.getByTestId("take-back-confirm").click();
  await expect(main.getByTestId("taken-back")).toBeVisible();
  expect(readFileSync(path, "utf8")).toBe(TEXT);
  await main.getByTestId("activity-details-close").click();
  await expect(await stage.logLine({ tool: "take_back", status: "ok" })).toHaveCount(1);
});

test("what somebody has changed since stays, until the person says otherwise", async ({
  stage,
}) => {
  const { path } = await withNotes(stage);
  writeFileSync(path, "Mine.\n");
  const main = await takesBack(stage, "write_file");
  const dialog = main.getByTestId("take-back-dialog");
  await expect(dialog.getByTestId("take-back-state")).toBeVisible();
  await expect(dialog.getByTestId("take-back-confirm")).toBeDisabled();
  await dialog.getByTestId("take-back-despite").click();
  await dialog.getByTestId("take-back-confirm").click();
  await expect(main.getByTestId("taken-back")).toBeVisible();
  expect(readFileSync(path, "utf8")).toBe(TEXT);
});

test("all changes since a call are taken back in one go, in its conversation", async ({
  stage,
}) => {
  const { agent, credentials, folder, path } = await withNotes(stage);
  const moved = agent.call("move_file", { from: path, to: join(folder, "old.md") });
  await stage.press("consent-allow-once");
  await moved;
  const made = agent.call("write_file", { path: join(folder, "new.md"), content: "new\n" });
  await stage.press("consent-allow-once");
  await made;

  const main = await stage.openConversation(credentials);
  const first = main.locator('[data-testid="call-entry"][data-tool="write_file"]').first();
  await first.getByTestId("call-open").click();
  await first.getByTestId("take-back").click();
  const dialog = main.getByTestId("take-back-dialog");
  await dialog.getByTestId("take-back-later").click();
  await expect(dialog.locator("li[data-state=ready]")).toHaveCount(3);
  await dialog.getByTestId("take-back-confirm").click();
  await expect(first.getByTestId("taken-back")).toBeVisible();
  expect(readFileSync(path, "utf8")).toBe(TEXT);
  expect(existsSync(join(folder, "new.md"))).toBe(false);
  expect(existsSync(join(folder, "old.md"))).toBe(false);
});

test("an edit of a hooked agent's own is taken back", async ({ stage }) => {
  const folder = stage.folderWith({ "notes.md": TEXT });
  const path = join(folder, "notes.md");
  const hook = (event: string, more: object = {}) =>
    new Promise<void>((resolve) => {
      const program = execFile(
        process.execPath,
        [HOOK, "claude-code", "--data-dir", stage.dataDir],
        { env: { PATH: process.env.PATH ?? "", HOME: stage.home } },
        () => resolve(),
      );
      const use = {
        ...{ tool_name: "Edit", tool_use_id: "u-1", session_id: "s-1", cwd: folder },
        tool_input: { file_path: path, old_string: "milk", new_string: "oat milk" },
      };
      program.stdin?.end(JSON.stringify({ hook_event_name: event, ...use, ...more }));
    });
  const asked = hook("PreToolUse");
  const { main } = stage.program;
  const card = main.getByTestId("pairing-card");
  await card.getByTestId("hook-way-check_everything").check();
  await card.getByTestId("pairing-accept").click();
  await stage.press("consent-allow-once");
  await asked;
  writeFileSync(path, TEXT.replace("milk", "oat milk"));
  await hook("PostToolUse", { tool_response: "ok" });
  await takesBack(stage, "edit_file");
  const dialog = main.getByTestId("take-back-dialog");
  await expect(dialog.locator("li[data-state=ready]")).toHaveCount(1);
  await dialog.getByTestId("take-back-confirm").click();
  await expect(main.getByTestId("taken-back")).toBeVisible();
  expect(readFileSync(path, "utf8")).toBe(TEXT);
});
