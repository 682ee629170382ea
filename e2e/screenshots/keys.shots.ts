import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../support/fixtures.ts";
import { MANIFEST } from "../support/manifest.ts";
import type { Stage } from "../support/stage.ts";
import { shoot } from "./shoot.ts";

const PASSWORDS = [
  ["weak", "P@ssw0rd2024!"],
  ["fair", "Sommer2024!!"],
  ["strong", "vier ganz zufaellige woerter"],
] as const;

/** The agent comes back without its keys, and makes others. */
async function anotherKey(stage: Stage): Promise<void> {
  const { agent, credentials } = await stage.connectedAgent();
  await agent.kill();
  rmSync(join(stage.agentsHome, ".hashee"), { recursive: true });
  await stage.newAgent().init(credentials, MANIFEST);
}

test("a safety number", async ({ stage, interfaceLanguage }) => {
  await stage.connectedAgent();
  const main = await stage.open("agents");
  const key = main.getByTestId("agent-key");
  await key.getByRole("button").first().click();
  await shoot(main, interfaceLanguage, "keys-number", key);
  await key.getByTestId("safety-form").click();
  await key.getByTestId("key-verify").click();
  await key.getByTestId("key-unverify").waitFor();
  await shoot(main, interfaceLanguage, "keys-words", key);
});

test("a changed key", async ({ stage, interfaceLanguage }) => {
  await anotherKey(stage);
  const main = await stage.open("agents");
  const changed = main.getByTestId("key-changed");
  await changed.waitFor();
  await shoot(main, interfaceLanguage, "keys-changed-notice");
  await main.getByTestId("notice").getByRole("button").click();
  await shoot(main, interfaceLanguage, "keys-changed", changed);
});

test("a backup", async ({ stage, interfaceLanguage }) => {
  const main = await stage.open("settings");
  const strength = main.locator(".strength");
  for (const [level, password] of PASSWORDS) {
    await main.getByTestId("backup-password").fill(password);
    await main.getByTestId("backup-repeat").fill(level === "weak" ? "another" : password);
    await expect(strength).toHaveAttribute("data-strength", level);
    const scene = `keys-backup-${level}`;
    await shoot(main, interfaceLanguage, scene, main.getByTestId("backup-password"));
  }
});
