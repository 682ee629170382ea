/** An administrator's policy, as the person sees it: what is managed, and a file that cannot be used. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./support/fixtures.ts";
import { ALL_SCOPES, MANIFEST } from "./support/manifest.ts";
import type { Stage } from "./support/stage.ts";

/** The program runs again, under this policy. */
async function manage(stage: Stage, text: string): Promise<string> {
  const file = join(stage.home, "policy.json");
  writeFileSync(file, text);
  await stage.program.stop();
  stage.flags.splice(0, Infinity, "--policy", file);
  await stage.start();
  return file;
}

test("what is managed stands in the settings, and a denied permission can be given to nobody", async ({
  stage,
}) => {
  const [denied = "", raised = ""] = ALL_SCOPES;
  const policy = { version: 1, denied_scopes: [denied], sensitivities: { [raised]: "high" } };
  await manage(stage, JSON.stringify(policy));
  const agent = stage.newAgent();
  const { code } = agent.pair("Managed agent", MANIFEST);
  const card = stage.program.main.getByTestId("pairing-card").filter({ hasText: await code });
  await expect(card.getByTestId(`managed-${denied}`)).toBeVisible();
  await expect(card.getByTestId(`pairing-scope-${denied}`)).not.toBeChecked();
  await expect(card.getByTestId(`pairing-scope-${denied}`)).toBeDisabled();
  await expect(card.getByTestId(`pairing-scope-${raised}`)).not.toBeChecked();
  await stage.program.main.keyboard.press("Escape");
  const main = await stage.open("settings");
  await expect(main.getByTestId("managed-settings")).toContainText(denied);
});

test("a policy that cannot be used stops everything; the page says which file, and where in it", async ({
  stage,
}) => {
  const file = await manage(stage, '{\n  "version": 1,\n  "retention_days": 1\n}\n');
  const page = stage.program.main.getByTestId("broken-policy");
  await expect(page).toContainText(file);
  await expect(page).toContainText("Line 3, column 21");
  await expect(page).toContainText("/retention_days");
  await expect(stage.program.main.getByTestId("nav-settings")).toHaveCount(0);
});
