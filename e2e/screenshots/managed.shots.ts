import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "../support/fixtures.ts";
import { ALL_SCOPES } from "../support/manifest.ts";
import type { Stage } from "../support/stage.ts";
import { shoot } from "./shoot.ts";

async function manage(stage: Stage, text: string): Promise<void> {
  const file = join(stage.home, "policy.json");
  writeFileSync(file, text);
  await stage.program.stop();
  stage.flags.splice(0, Infinity, "--policy", file);
  await stage.start();
}

test("managed settings, and a policy that cannot be used", async ({ stage, interfaceLanguage }) => {
  const [denied = "", raised = ""] = ALL_SCOPES;
  const policy = {
    version: 1,
    allowed_agents: ["5b1e 07c2 9d44 a0f3 8e61"],
    denied_scopes: [denied],
    sensitivities: { [raised]: "high" },
    retention_days: 90,
    updates: "off",
  };
  await manage(stage, JSON.stringify(policy));
  const main = await stage.open("settings");
  await shoot(main, interfaceLanguage, "settings-managed", main.getByTestId("managed-settings"));
  await shoot(main, interfaceLanguage, "settings-data", main.getByTestId("own-data"));
  await main.getByTestId("own-data-remove").click();
  await shoot(main, interfaceLanguage, "remove-all-data");
  await main.getByTestId("own-data-remove-dialog-cancel").click();
  await manage(stage, '{"version": 1,\n "retention_days": 1}');
  const page = stage.program.main;
  await page.getByTestId("broken-policy").waitFor();
  await shoot(page, interfaceLanguage, "policy-broken");
});

test("an imported file, and what of it an agent is given", async ({
  stage,
  interfaceLanguage,
  host,
}) => {
  test.skip(host !== "browser", "the desktop host saves by itself");
  await stage.connectedAgent();
  const main = await stage.open("agents");
  await main.getByTestId("agent-menu").click();
  await main.getByTestId("agent-suspend").click();
  await main.getByTestId("agent-suspended").waitFor();
  await stage.open("settings");
  const file = join(stage.home, "data.jsonl");
  await stage.program.saveAs(file, () => main.getByTestId("own-data-export").click());
  await stage.open("agents");
  await main.getByTestId("resume-agent").click();
  await stage.open("settings");
  const choosing = main.waitForEvent("filechooser");
  await main.getByTestId("own-data-import").click();
  await (await choosing).setFiles(file);
  await main.getByTestId("own-data-import-confirm").waitFor();
  await shoot(main, interfaceLanguage, "import-summary");
  await main.getByTestId("own-data-import-confirm").click();
  await main.getByTestId("own-data-import-dialog").waitFor({ state: "detached" });
  await shoot(main, interfaceLanguage, "import-done", main.getByTestId("own-data"));
  await stage.open("permissions");
  await main.getByTestId("revoke-agent").first().click();
  await main.getByTestId("revoke-agent-dialog-confirm").click();
  await shoot(main, interfaceLanguage, "former-agents");
  await main.getByTestId("former-give").click();
  await main.getByTestId("former-agent-choice").getByRole("button").click();
  await main.getByRole("option").first().click();
  await main.getByTestId("former-confirm").waitFor();
  await shoot(main, interfaceLanguage, "former-give");
});
