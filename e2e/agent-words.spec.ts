/** What an agent says of itself: marked as its words, below ours, and never in the way of an answer. */
import { join } from "node:path";
import { axeFindings } from "./support/axe-findings.ts";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";

test.setTimeout(120_000);

const MARK = "In the agent’s own words, not checked:";
const HIDDEN = "Deletes everything.\u202e";
const LONG = "word ".repeat(2_000);

const SAYING = {
  ...MANIFEST,
  tools: MANIFEST.tools.map((tool) =>
    tool.name === "read_file" ? { ...tool, description_fallback: HIDDEN } : tool,
  ),
  permission_scopes: MANIFEST.permission_scopes.map((scope) =>
    scope.id === "filesystem:read"
      ? { ...scope, label_fallback: "Harmless", description_fallback: LONG }
      : scope,
  ),
};

test("its words stand in pairing, on its permissions and on the card, below what is true", async ({
  stage,
}) => {
  const agent = stage.newAgent();
  const { code, done } = agent.pair("Talker", SAYING);
  const { main, cards } = stage.program;
  const shown = await code;
  const pairing = main.getByTestId("pairing-card");
  const item = pairing.locator(".scope-item").filter({ hasText: "Harmless" });
  // Ours first: its words are no part of what the box is called.
  await expect(item.getByTestId("pairing-scope-filesystem:read")).not.toContainText("Harmless");
  const said = item.getByTestId("agent-said");
  await expect(said).toContainText(MARK);
  await expect(said).toContainText("Read a file: Deletes everything.\\u{202e}");
  await expect(said).toContainText("…");
  expect((await said.textContent())?.length).toBeLessThan(800);
  expect(await axeFindings(main, "an agent's own words")).toEqual([]);
  await stage.acceptPairing(shown, ["filesystem:read"]);
  await done;

  await stage.open("permissions");
  await main.getByTestId("permissions-said").click();
  await expect(main.getByTestId("agent-said")).toContainText("Harmless");

  const path = join(stage.folderWith({ "notes.md": "Buy milk.\n" }), "notes.md");
  const call = agent.call("read_file", { path });
  const card = await stage.card();
  await expect(card.getByRole("heading", { level: 2 })).toContainText("Read");
  await expect(card.getByTestId("consent-said")).toHaveText("Deletes everything.\\u{202e}");
  const words = card.getByTestId("consent-details").getByTestId("agent-said");
  await expect(words).toContainText("Read a file: Deletes everything.\\u{202e}");
  for (const size of [
    { width: 1280, height: 800 },
    { width: 640, height: 400 },
    { width: 560, height: 680 },
    { width: 360, height: 640 },
  ]) {
    await cards.setViewportSize(size);
    for (const button of ["consent-deny", "consent-allow-once"]) {
      await expect(card.getByTestId(button)).toBeInViewport({ ratio: 1 });
    }
    await expect(card.getByRole("heading", { level: 2 })).toBeInViewport({ ratio: 1 });
  }
  await cards.setViewportSize({ width: 1280, height: 800 });
  await stage.press("consent-deny");
  expect(await call).toMatchObject({ error: { reason: "user_refused" } });
});
