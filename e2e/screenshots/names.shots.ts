import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "../support/fixtures.ts";
import { ALL_SCOPES, MANIFEST } from "../support/manifest.ts";
import { shoot } from "./shoot.ts";

/** Latin; Cyrillic; Latin and Greek mixed; and as long as a name may be. */
const NAMES = [
  "Coco",
  "\u0421\u043e\u0441\u043e",
  "Rea\u03bfder",
  "Coco, der Agent mit dem längsten Namen, den es hier geben darf",
] as const;

test("names that look alike", async ({ stage, interfaceLanguage }) => {
  const { main } = stage.program;
  for (const name of [...NAMES, NAMES[3]]) {
    const { agent } = await stage.connectedAgent(ALL_SCOPES, name);
    await agent.call("send_notification", { title: "Tests are green" });
  }
  const { code } = stage.newAgent().pair("C\u03bfc\u03bf", MANIFEST);
  await code;
  await main.getByTestId("pairing-card").waitFor();
  await shoot(main, interfaceLanguage, "names-pairing");
  await main.getByTestId("pairing-details").click();
  await main.getByTestId("pairing-elsewhere").click();
  await shoot(main, interfaceLanguage, "names-pairing-number");
  await main.getByTestId("pairing-refuse").click();
  for (const screen of ["home", "agents", "conversations", "permissions", "activity"] as const) {
    await shoot(await stage.open(screen), interfaceLanguage, `names-${screen}`);
  }
  await main.setViewportSize({ width: 1180, height: 820 });
  await main.getByTestId("activity-charts").click();
  await shoot(main, interfaceLanguage, "names-charts");
  await main.getByTestId("activity-row").first().click();
  await main.getByTestId("activity-details").waitFor();
  await shoot(main, interfaceLanguage, "names-details");
});

test("a request, and a key in doubt", async ({ stage, interfaceLanguage }) => {
  const { agent, credentials } = await stage.connectedAgent(ALL_SCOPES, NAMES[0]);
  await stage.connectedAgent(ALL_SCOPES, NAMES[1]);
  const path = join(stage.folderWith({}), "report.md");
  const call = agent.call("write_file", { path, content: "# Report\n" });
  await stage.card();
  await shoot(stage.program.cards, interfaceLanguage, "names-request");
  await stage.press("consent-deny");
  await call;
  await agent.kill();
  rmSync(join(stage.agentsHome, ".hashee", credentials.agentId), { recursive: true });
  await stage.newAgent().init(credentials, MANIFEST);
  const main = await stage.open("agents");
  await main.getByTestId("key-changed").waitFor();
  await shoot(main, interfaceLanguage, "names-in-doubt");
  await shoot(await stage.open("conversations"), interfaceLanguage, "names-in-doubt-list");
});
