import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "../support/fixtures.ts";
import { MANIFEST } from "../support/manifest.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { patchManifest } from "../support/patch-manifest.ts";
import type { Stage } from "../support/stage.ts";
import { shoot } from "./shoot.ts";

/** An agent with a folder, a quiet period, a standing rule and some lines in the log. */
async function livedIn(stage: Stage): Promise<void> {
  const folder = stage.folderWith({ "notes.md": "Buy milk.\n" });
  stage.decidesAbout(join(folder, "notes.md"));
  const { agent } = await stage.connectedAgent();
  const read = agent.call("read_file", { path: join(folder, "notes.md") });
  await stage.press("consent-allow-conversation");
  await read;
  await agent.call("read_file", { path: join(folder, "notes.md") }, { callId: "unasked" });
  const refused = agent.call("read_clipboard", {});
  await stage.press("consent-always-deny");
  await refused;
  for (const title of ["Tests are green", "Deploy finished"]) {
    await agent.call("send_notification", { title });
  }
  await agent.call("send_notification", { title: 7 });
}

test("nothing yet", async ({ stage, interfaceLanguage }) => {
  const { main } = stage.program;
  await main.locator(".welcome").waitFor();
  await shoot(main, interfaceLanguage, "welcome");
  for (const screen of ["agents", "permissions", "activity", "settings"] as const) {
    await shoot(await stage.open(screen), interfaceLanguage, `${screen}-empty`);
  }
});

test("apps to connect", async ({ stage, interfaceLanguage }) => {
  for (const folder of [".cursor", ".codex", ".gemini", ".codeium/windsurf"]) {
    mkdirSync(join(stage.home, folder), { recursive: true });
  }
  writeFileSync(join(stage.home, ".codex", "config.toml"), 'model = "m"\n');
  writeFileSync(join(stage.home, ".cursor", "mcp.json"), "{ half");
  const main = await stage.open("agents");
  const apps = main.getByTestId("connect-apps");
  await main.getByTestId("connect-gemini-tools").click();
  await main.getByTestId("app-change-write").click();
  await main.getByTestId("disconnect-gemini-tools").waitFor();
  await shoot(main, interfaceLanguage, "apps", apps);
  await main.getByTestId("connect-codex-tools").click();
  await main.getByTestId("app-change").waitFor();
  await shoot(main, interfaceLanguage, "app-change");
});

test("a pairing", async ({ stage, interfaceLanguage }) => {
  const { main } = stage.program;
  const { code } = stage.newAgent().pair("Agent with a rather long name of its own", MANIFEST);
  await code;
  await main.getByTestId("pairing-card").waitFor();
  await shoot(main, interfaceLanguage, "pairing");
});

test("an agent found by its id, after a link that is none", async ({
  stage,
  interfaceLanguage,
}) => {
  const agent = stage.newAgent();
  const { code, done } = agent.pair(
    `An agent with a rather long name, ${"\u202e"}and a hidden sign`,
    {
      ...MANIFEST,
      agent_version: `1.0.0-${"long".repeat(20)}`,
    },
  );
  await stage.acceptPairing(await code, []);
  const { agentId } = await done;
  const main = await stage.open("agents");
  await main.getByTestId("agent-menu").click();
  await main.getByTestId("agent-remove").click();
  await main.getByTestId("remove-agent-confirm").click();
  await main.getByTestId("add-by-id-open").click();
  const about = main.getByTestId("add-by-id");
  await main.getByTestId("add-by-id-text").fill(`consentry:agent/${agentId}?hub=elsewhere`);
  await main.getByTestId("add-by-id-find").click();
  await main.getByTestId("add-by-id-failure").waitFor();
  await shoot(main, interfaceLanguage, "add-by-id-refused", about);
  await main.getByTestId("add-by-id-text").fill(agentId);
  await main.getByTestId("add-by-id-find").click();
  await main.getByTestId("found-agent").waitFor();
  await shoot(main, interfaceLanguage, "add-by-id", about);
});

test("a program on this computer asks", async ({ stage, interfaceLanguage }) => {
  const client = await mcpClient(stage);
  await client.listTools();
  const { main } = stage.program;
  await main.getByTestId("pairing-card").waitFor();
  await shoot(main, interfaceLanguage, "pairing-program");
  await main.getByTestId("pairing-accept").click();
  await stage.open("agents");
  await main.getByTestId("agent-section").waitFor();
  await shoot(main, interfaceLanguage, "agents-program");
  await client.close();
});

test("a suspended agent, on each page that shows it", async ({ stage, interfaceLanguage }) => {
  const { agent } = await stage.connectedAgent();
  await agent.call("send_notification", { title: "Tests are green" });
  const main = await stage.open("agents");
  await main.getByTestId("agent-menu").click();
  await main.getByTestId("agent-suspend").click();
  await main.getByTestId("agent-suspended").waitFor();
  await shoot(main, interfaceLanguage, "suspended-agents");
  await shoot(await stage.open("home"), interfaceLanguage, "suspended-home");
  await stage.open("conversations");
  await main.locator('[data-testid="conversation-row"][data-kind="direct"]').click();
  await main.getByTestId("composer-blocked").waitFor();
  await shoot(main, interfaceLanguage, "suspended-conversation");
  await main.setViewportSize({ width: 1180, height: 820 });
  await stage.open("activity");
  await main.getByTestId("activity-row").first().click();
  await main.getByTestId("activity-details").waitFor();
  await shoot(main, interfaceLanguage, "suspended-activity");
});

test("an agent's own words", async ({ stage, interfaceLanguage }) => {
  const agent = stage.newAgent();
  const says = (text: string) => `${text} ${"It says a great deal about itself. ".repeat(12)}`;
  const { code, done } = agent.pair("Talker", {
    ...MANIFEST,
    tools: MANIFEST.tools.map((tool) => ({
      ...tool,
      description_fallback: says("Harmless.\u202e"),
    })),
    permission_scopes: MANIFEST.permission_scopes.map((scope) => ({
      ...scope,
      description_fallback: says("You can trust me."),
    })),
  });
  const shown = await code;
  const { main, cards } = stage.program;
  await main.getByTestId("pairing-card").waitFor();
  await shoot(main, interfaceLanguage, "words-pairing", main.locator(".scope-picker"));
  await main.setViewportSize({ width: 1180, height: 820 });
  await stage.acceptPairing(shown, ["filesystem:read", "network:http"]);
  await done;
  await shoot(await stage.open("permissions"), interfaceLanguage, "words-permissions");
  const path = join(stage.folderWith({ "notes.md": "Buy milk.\n" }), "notes.md");
  void agent.call("read_file", { path });
  await stage.card();
  await shoot(cards, interfaceLanguage, "words-card");
  await stage.press("consent-deny");
});

test("in use", async ({ stage, interfaceLanguage }) => {
  await livedIn(stage);
  for (const screen of ["home", "agents", "permissions", "activity", "settings"] as const) {
    await shoot(await stage.open(screen), interfaceLanguage, screen);
  }
  const main = await stage.open("activity");
  await main.setViewportSize({ width: 1180, height: 820 });
  await main.getByTestId("activity-charts").click();
  await shoot(main, interfaceLanguage, "activity-charts");
  await main.getByTestId("activity-row").first().click();
  await main.getByTestId("activity-details").waitFor();
  await shoot(main, interfaceLanguage, "activity-details");
  await main.keyboard.press("Escape");
  await main.locator('[data-testid="activity-row"][data-call-id="unasked"]').click();
  await main.getByTestId("why-window").waitFor();
  await shoot(main, interfaceLanguage, "activity-why");
  await main.keyboard.press("Escape");
  await main.getByTestId("activity-check").click();
  await main.getByTestId("activity-check-panel").waitFor();
  await shoot(main, interfaceLanguage, "activity-check");
});

test("changed, missed and paused", async ({ stage, interfaceLanguage }) => {
  const { agent, credentials } = await stage.connectedAgent();
  const path = join(stage.folderWith({}), "report.md");
  const missed = agent.call("write_file", { path, content: "# Report\n\nAll is well.\n" });
  await stage.card();
  await stage.program.jump(30_000);
  await missed;
  const { main } = stage.program;
  await main.getByTestId("missed-asked").click();
  await main.getByTestId("call-arguments").waitFor();
  await shoot(main, interfaceLanguage, "home-missed");

  const another: Readonly<Record<string, string>> = {
    "network:http": "high",
    "clipboard:read": "medium",
    "filesystem:read": "low",
  };
  const permission_scopes = MANIFEST.permission_scopes.map((scope) => ({
    ...scope,
    sensitivity: another[scope.id] ?? scope.sensitivity,
  }));
  const next = { ...MANIFEST, agent_version: "1.1.0", permission_scopes };
  await patchManifest(stage.program.ready.hub, credentials, next);
  await shoot(await stage.open("home"), interfaceLanguage, "home-reconsent");
  await stage.open("agents");
  await shoot(main, interfaceLanguage, "agents-reconsent", main.getByTestId("reconsent"));
  await main.getByTestId("agent-differences").click();
  await main.getByTestId("difference-list").waitFor();
  await shoot(main, interfaceLanguage, "agents-differences");
  await main.keyboard.press("Escape");

  await stage.open("settings");
  await main.getByTestId("settings-pause").click();
  await main.getByTestId("paused-banner").waitFor();
  await shoot(main, interfaceLanguage, "settings-paused");
});
