import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./support/fixtures.ts";

const PASSWORD = "vier ganz zufaellige woerter";
/** Argon2id takes seconds, and more of them where others work too. */
const KEY_MS = 60_000;

test("the identity is saved under a password, and put back by it alone", async ({ stage }) => {
  test.setTimeout(4 * KEY_MS);
  const page = stage.program.main;
  await page.getByTestId("nav-settings").click();
  const save = page.getByTestId("backup-save");
  await page.getByTestId("backup-password").fill("Password123!");
  await page.getByTestId("backup-repeat").fill("Password123!");
  const strength = page.locator(".strength");
  await expect(strength).toHaveAttribute("data-strength", "weak");
  await expect(strength).toContainText("This is close to a common password.");
  await expect(save).toBeDisabled();
  await page.getByTestId("backup-password").fill(PASSWORD);
  await page.getByTestId("backup-repeat").fill(PASSWORD);
  const downloading = page.waitForEvent("download", { timeout: KEY_MS });
  await save.click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^consentry-identity-.*\.backup$/);
  const buffer = readFileSync(await download.path());

  const file = { name: "my.backup", mimeType: "application/octet-stream", buffer };
  await page.getByTestId("backup-settings").locator('input[type="file"]').setInputFiles(file);
  await page.getByTestId("restore-password").fill("another");
  await page.getByTestId("restore-do").click();
  const failure = page.getByTestId("restore-problem");
  await expect(failure).toHaveAttribute("data-code", "wrong_password", { timeout: KEY_MS });
  await page.getByTestId("restore-password").fill(PASSWORD);
  await page.getByTestId("restore-do").click();
  const notice = page.locator('[data-testid="notice"][data-code="identity_restored"]');
  await expect(notice).toBeVisible({ timeout: KEY_MS });
});

test("a backup that cannot be read is said, and can be tried again", {
  tag: "@once",
}, async ({ stage }) => {
  const page = await stage.open("settings");
  const file = join(stage.home, "my.backup");
  writeFileSync(file, "a backup");
  await page.getByTestId("backup-settings").locator('input[type="file"]').setInputFiles(file);
  rmSync(file);
  await page.getByTestId("restore-password").fill(PASSWORD);
  await page.getByTestId("restore-do").click();
  await expect(page.getByTestId("restore-problem")).toHaveAttribute("data-code", "file_unreadable");
  await expect(page.getByTestId("restore-do")).toBeEnabled();
});
