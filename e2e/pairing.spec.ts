import { expect, sharedStage, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";

const shared = sharedStage();

test("the person sees who asks, the same code and every scope with its level", async () => {
  const stage = shared();
  const agent = stage.newAgent();
  const { code, done } = agent.pair("Tidy\u202egnp.exe", MANIFEST);
  const card = stage.program.main.getByTestId("pairing-card");
  await expect(card.getByTestId("pairing-code")).toHaveText(await code);
  await expect(card).toContainText("\\u{202e}");
  const LEVELS = { low: "Low", medium: "Medium", high: "High" };
  for (const { id, sensitivity } of MANIFEST.permission_scopes) {
    const scope = card.getByTestId(`pairing-scope-${id}`);
    await expect(scope).toBeVisible();
    const level = LEVELS[sensitivity as keyof typeof LEVELS];
    await expect(scope.locator(".badge")).toHaveText(level);
  }
  await card.getByTestId("pairing-refuse").click();
  await expect(done).rejects.toMatchObject({ code: "refused" });
  await expect(card).toHaveCount(0);
});

test("a newcomer that looks like a known agent is told from it by both their keys", async () => {
  const stage = shared();
  const { main } = stage.program;
  await stage.connectedAgent([], "Coco");
  const newcomer = stage.newAgent().pair("\u0421\u043e\u0441\u043e", MANIFEST);
  const code = await newcomer.code;
  const card = main.getByTestId("pairing-card").filter({ hasText: code });
  await expect(card.getByTestId("pairing-lookalike")).toContainText(/Coco \([0-9a-f ]{24}\)/);
  await expect(card.getByTestId("name-mark")).toHaveAttribute("data-mark", "looks_latin");
  const offered = await card.getByTestId("fingerprint").textContent();
  await stage.acceptPairing(code, []);
  await newcomer.done;
  await stage.open("agents");
  const drawn = main.getByTestId("agent-section").getByTestId("fingerprint");
  await expect(drawn).toHaveCount(2);
  const fingerprints = await drawn.allTextContents();
  expect(new Set(fingerprints).size).toBe(2);
  expect(fingerprints).toContain(offered);
  await stage.open("home");
});

test("a request to connect that is put off waits in a bar on every page, and comes back", async () => {
  const stage = shared();
  const { main } = stage.program;
  const { code, done } = stage.newAgent().pair("Patient", MANIFEST);
  await code;
  const card = main.getByTestId("pairing-card");
  await card.waitFor();
  await main.keyboard.press("Escape");
  await expect(card).toHaveCount(0);
  const bar = main.getByTestId("pairing-bar");
  for (const page of ["home", "agents", "permissions", "activity", "settings"] as const) {
    await stage.open(page);
    await expect(bar).toContainText("1 request to connect is waiting");
  }
  await bar.getByTestId("show-pairings").click();
  await card.getByTestId("pairing-accept").click();
  await done;
  await expect(bar).toHaveCount(0);
});
