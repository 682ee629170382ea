import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Stage, test } from "../support/fixtures.ts";
import { ALL_SCOPES } from "../support/manifest.ts";
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
  await manage(stage, '{"version": 1,\n "retention_days": 1}');
  const page = stage.program.main;
  await page.getByTestId("broken-policy").waitFor();
  await shoot(page, interfaceLanguage, "policy-broken");
});
