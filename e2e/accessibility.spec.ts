import { join } from "node:path";
import { axeFindings } from "./support/axe-findings.ts";
import { expect, test } from "./support/fixtures.ts";
import { ALL_SCOPES, MANIFEST } from "./support/manifest.ts";
import { patchManifest } from "./support/patch-manifest.ts";
import { press } from "./support/stage.ts";

test.setTimeout(240_000);

test("axe finds nothing on any screen, dialog or card, in any look", async ({ stage }) => {
  const { main } = stage.program;
  const found: string[] = [];
  const look = async (place: string, page = main) =>
    found.push(...(await axeFindings(page, place)));

  await expect(main.locator("h1")).toBeVisible();
  await look("first run");
  const agent = stage.newAgent();
  const pairing = agent.pair("End-to-end agent", MANIFEST);
  await pairing.code;
  await expect(main.getByTestId("pairing-card")).toHaveCount(1);
  await look("pairing");
  await stage.acceptPairing(await pairing.code, ALL_SCOPES);
  const credentials = await pairing.done;

  // A folder, a quiet period, a standing rule and lines in the log; then a request that is missed.
  const folder = stage.folderWith({ "notes.md": "Buy milk.\n" });
  const read = agent.call("read_file", { path: join(folder, "notes.md") });
  await stage.card();
  await look("card that wants a folder", stage.program.cards);
  stage.decidesAbout(join(folder, "notes.md"));
  await stage.press("consent-allow-conversation");
  await read;
  const edited = { path: join(folder, "notes.md"), edits: [{ old_text: "milk", new_text: "tea" }] };
  const refused = agent.call("edit_file", edited);
  await stage.card();
  await look("card with a countdown and a difference", stage.program.cards);
  await press((await stage.card()).getByTestId("consent-always-deny"));
  await refused;
  const unseen = { path: join(folder, "report.md"), content: "A report." };
  const missed = agent.call("write_file", unseen);
  const countdown = (await stage.card()).getByTestId("consent-countdown");
  await expect(countdown).toHaveAttribute("data-running", "true");
  await stage.program.jump(30_000);
  await missed;
  await main.getByTestId("missed-row").getByTestId("missed-asked").click();
  await expect(main.getByTestId("call-arguments")).toBeVisible();

  const permission_scopes = MANIFEST.permission_scopes.map((scope) =>
    scope.id === "network:http" ? { ...scope, sensitivity: "high" } : scope,
  );
  await patchManifest(stage.program.ready.hub, credentials, { ...MANIFEST, permission_scopes });

  for (const page of await main.locator('[data-testid^="nav-"]').all()) {
    await page.click();
    await expect(main.locator("h1, h2").first()).toBeVisible();
    await look((await page.getAttribute("data-testid")) ?? "");
  }
  await stage.open("agents");
  await main.getByTestId("agent-differences").click();
  await expect(main.getByTestId("difference-list")).toBeVisible();
  await look("what changed");
  await main.getByTestId("agent-menu").click();
  await look("agent menu");
  await main.getByTestId("agent-rename").click();
  await look("rename dialog");
  await main.keyboard.press("Escape");
  await stage.open("permissions");
  await main.getByTestId("revoke-all").click();
  await look("question before everything is revoked");
  expect(found).toEqual([]);
});
