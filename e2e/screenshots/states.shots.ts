import type { Page } from "@playwright/test";
import { fillHistories } from "../support/fill-histories.ts";
import { test } from "../support/fixtures.ts";
import { MANIFEST } from "../support/manifest.ts";
import { patchManifest } from "../support/patch-manifest.ts";
import { conversation, ScriptedConversations } from "../support/scripted-conversations.ts";
import type { Stage } from "../support/stage.ts";
import { shoot } from "./shoot.ts";

/** As long as a name may be. */
const LONG = "An agent whose own name goes on and on, \u202eevil, up to what may be";

/** The page is loaded again, and these calls of its fail or are never answered. */
async function hostThat(stage: Stage, does: "fails" | "is silent", calls: readonly string[]) {
  const { main } = stage.program;
  const script = await ScriptedConversations.on(main, [conversation()]);
  for (const name of calls) (does === "fails" ? script.failing : script.silent).add(name);
  await main.reload();
  return main;
}

async function openFirst(main: Page, page: string, row: string): Promise<void> {
  await main.getByTestId(`nav-${page}`).click();
  await main.getByTestId(row).first().click();
}

const READ = ["activity.page", "conversations.list", "agents.differences", "activity.verify"];

for (const does of ["fails", "is silent"] as const) {
  test(`a host that ${does}`, async ({ stage, interfaceLanguage }) => {
    const name = does === "fails" ? "failed" : "loading";
    const { credentials } = await stage.connectedAgent();
    const next = { ...MANIFEST, agent_version: "1.1.0" };
    await patchManifest(stage.program.ready.hub, credentials, next);
    const main = await hostThat(stage, does, READ);
    for (const page of ["home", "conversations", "agents"] as const) {
      await stage.open(page);
      await main.locator("h1").first().waitFor();
      await shoot(main, interfaceLanguage, `${page}-${name}`);
    }
    await stage.open("activity");
    await main.getByTestId("activity-verify").click();
    await shoot(main, interfaceLanguage, `activity-${name}`);
    await hostThat(stage, does, ["conversations.page"]);
    await openFirst(main, "conversations", "conversation-row");
    await shoot(main, interfaceLanguage, `conversation-${name}`);
    await hostThat(stage, does, ["app.snapshot"]);
    await main.locator(".outer").waitFor();
    await shoot(main, interfaceLanguage, `window-${name}`);
  });
}

test("an app that could not start the hook, a check that failed, and rules that do not fit", async ({
  stage,
  interfaceLanguage,
}) => {
  await stage.connectedAgent([]);
  const { main } = stage.program;
  const script = await ScriptedConversations.on(main, [conversation()]);
  script.failing.add("manifest.check_new");
  const file = "C:\\Users\\Ada Lovelace\\.gemini\\settings.json";
  const tools = { file, state: "connected" };
  const hook = { file, state: "path_unusable", notes: ["goes_on"] };
  script.answers.set("apps.list", () => [{ app_id: "gemini", name: "Gemini CLI", tools, hook }]);
  const subject = { kind: "path", path: "/home/ada/secret", names: null };
  const rule = { covers: "read_file", subject, effect: "deny", ends_at: null };
  const had = { petname: null, scopes: [], roots: [], hosts: [], rules: [rule, rule] };
  script.answers.set("data.former", () => ({
    agents: [{ former_id: "f", name: LONG, ...had }],
    logs: [],
  }));
  script.answers.set("rules.import", () => ({ added: 0, kept: 0, left_out: 2 }));
  await stage.open("agents");
  await shoot(main, interfaceLanguage, "apps-unusable", main.getByTestId("connect-apps"));
  await main.getByTestId("add-by-manifest-open").click();
  await main.getByTestId("manifest-text").fill("{}");
  await main.getByTestId("read-again").waitFor();
  await shoot(main, interfaceLanguage, "manifest-check-failed", main.getByTestId("manifest-text"));
  await stage.open("permissions");
  await main.getByTestId("former-give").click();
  await main.getByTestId("former-agent-choice").getByRole("button").click();
  await main.getByRole("option").first().click();
  await main.getByTestId("former-confirm").click();
  await main.getByTestId("former-left-out").filter({ hasText: "2" }).waitFor();
  await shoot(main, interfaceLanguage, "former-left-out", main.getByTestId("former-agents"));
});

test("full histories", async ({ stage, interfaceLanguage }) => {
  for (const name of [LONG, "Coco"]) {
    const { agent } = await stage.connectedAgent([], name);
    await agent.send("a word");
  }
  await stage.open("conversations");
  await stage.program.main.getByText("a word").nth(1).waitFor();
  await stage.program.stop();
  fillHistories(stage.dataDir);
  const { main } = await stage.start();
  await main.getByTestId("notice").waitFor();
  await shoot(main, interfaceLanguage, "home-full-history");
});

test("long names", async ({ stage, interfaceLanguage }) => {
  const { code, done } = stage.newAgent().pair(LONG, MANIFEST);
  const { main } = stage.program;
  await main.getByTestId("pairing-card").waitFor();
  await shoot(main, interfaceLanguage, "pairing-long");
  await stage.acceptPairing(await code, []);
  await done;
  for (const page of ["home", "conversations", "agents", "permissions"] as const) {
    await shoot(await stage.open(page), interfaceLanguage, `${page}-long`);
  }
});
