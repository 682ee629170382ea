import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { MANIFEST } from "../support/manifest.ts";
import { patchManifest } from "../support/patch-manifest.ts";
import type { Credentials, RunningAgent } from "../support/running-agent.ts";
import type { Stage } from "../support/stage.ts";

/** The pictures in the README: the same program, with an agent and a file as a person has them. */
const PICTURES = fileURLToPath(new URL("../../.screenshots/readme", import.meta.url));

const SCOPES = ["notification:send", "filesystem:read", "filesystem:write", "shell:exec"];
const NOTES_MANIFEST = {
  ...MANIFEST,
  tools: MANIFEST.tools.filter(({ permission_scope }) => SCOPES.includes(permission_scope)),
  permission_scopes: MANIFEST.permission_scopes.filter(({ id }) => SCOPES.includes(id)),
};

const PLAN =
  "# Saturday\n\n- Buy milk\n- Call Ada\n- Water the plants\n- Library until 4\n- Bake bread\n";
const EDITS = [
  { old_text: "- Call Ada", new_text: "- Call Ada about the trip" },
  { old_text: "- Library until 4", new_text: "- Library until 3, it closes early" },
];

interface Size {
  readonly width: number;
  readonly height: number;
}

const PLAIN: Size = { width: 960, height: 720 };
/** The log has its columns from here on. */
const WIDER: Size = { width: 1180, height: 740 };
/** A card whole, with little around it. */
const CARD: Size = { width: 720, height: 980 };

const MARGIN = 20;

/** @param about what is in the picture, with a margin; without it, the whole page */
async function picture(page: Page, name: string, size = PLAIN, about?: Locator): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.setViewportSize(size);
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  const box = (await about?.boundingBox()) ?? null;
  const clip = box && {
    x: box.x - MARGIN,
    y: box.y - MARGIN,
    width: box.width + 2 * MARGIN,
    height: box.height + 2 * MARGIN,
  };
  await page.screenshot({
    path: join(PICTURES, `${name}.png`),
    animations: "disabled",
    ...(clip === null ? {} : { clip }),
  });
}

async function connected(stage: Stage): Promise<[RunningAgent, Credentials]> {
  const { main } = stage.program;
  const agent = stage.newAgent();
  const { code, done } = agent.pair("Notes helper", NOTES_MANIFEST);
  await code;
  const card = main.getByTestId("pairing-card");
  await card.waitFor();
  await main.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await picture(main, "pairing");
  await main.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  for (const scope of SCOPES) await card.getByTestId(`pairing-scope-${scope}`).setChecked(true);
  await card.getByTestId("pairing-accept").click();
  return [agent, await done];
}

/** A file is read and changed, and is not deleted. */
async function atWork(stage: Stage, agent: RunningAgent, path: string): Promise<void> {
  const read = agent.call("read_file", { path });
  await stage.press("consent-allow-conversation");
  await read;
  const edited = agent.call("edit_file", { path, edits: EDITS });
  await stage.program.cards.setViewportSize(CARD);
  const card = await stage.card();
  const allow = card.getByTestId("consent-allow-once");
  await expect(allow).not.toHaveAttribute("aria-disabled", "true");
  await picture(stage.program.cards, "consent", CARD, card);
  await allow.click();
  await edited;
  const deleted = agent.call("delete_file", { path });
  await stage.press("consent-deny");
  await deleted;
  await agent.call("send_notification", { title: "Your plan is up to date" });
}

async function commandRunning(stage: Stage, agent: RunningAgent, home: string): Promise<void> {
  const directory = join(home, "photos");
  mkdirSync(directory);
  void agent.call("run_command", { argv: ["sleep", "60"], directory });
  await stage.press("consent-allow-once");
  await stage.noCard();
}

test("the README's pictures", async ({ stage, interfaceLanguage }) => {
  test.skip(interfaceLanguage !== "en", "the README is in English");
  const home = mkdtempSync(join(tmpdir(), "ada-"));
  const path = join(home, "plan.md");
  writeFileSync(path, PLAN);
  stage.decidesAbout(path);
  const [agent, credentials] = await connected(stage);
  await agent.send("Good morning. Shall I bring your plan for Saturday up to date?");
  await atWork(stage, agent, path);

  await picture(await stage.open("permissions"), "permissions");
  const main = await stage.open("activity");
  await main.getByTestId("activity-charts").click();
  await picture(main, "activity", WIDER);

  await stage.open("conversations");
  await main.locator('[data-testid="conversation-row"][data-kind="direct"]').click();
  await main.getByTestId("composer").fill("Yes, please. And tell me what you changed.");
  await main.getByTestId("composer").press("Enter");
  await agent.send("Done:\n\n- you **call Ada** about the trip\n- the library closes at **3**");
  await commandRunning(stage, agent, home);
  await main.locator('[data-testid="call-entry"][data-status="running"]').waitFor();
  await main.getByTestId("consent-docked").waitFor({ state: "detached" });
  await picture(main, "conversation");
  await main.getByTestId("call-cancel").click();
  await main.locator('[data-testid="call-entry"][data-status="cancelled"]').waitFor();

  const raised = NOTES_MANIFEST.permission_scopes.map((scope) =>
    scope.id === "filesystem:read" ? { ...scope, sensitivity: "high" } : scope,
  );
  const next = { ...NOTES_MANIFEST, agent_version: "1.1.0", permission_scopes: raised };
  await patchManifest(stage.program.ready.hub, credentials, next);
  await stage.open("agents");
  await main.getByTestId("agent-differences").click();
  await main.getByTestId("difference-list").waitFor();
  await picture(main, "agent-changed");
  rmSync(home, { recursive: true });
});
