import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";
import { STILL_MS } from "./support/stage.ts";

/** More stops than any page has. */
const STOPS = 120;

/** Goes there as a person without a pointer does. */
async function tabTo(page: Page, testId: string): Promise<void> {
  const target = page.getByTestId(testId).first();
  await expect(target).toBeVisible();
  for (let stop = 0; stop < STOPS; stop += 1) {
    // A box to tick is its words and, among them, what takes the focus.
    const isThere = (element: Element) =>
      element === document.activeElement ||
      (element instanceof HTMLLabelElement && element.control === document.activeElement);
    if (await target.evaluate(isThere)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no way to ${testId} by Tab`);
}
async function pressOn(page: Page, testId: string, key = "Enter"): Promise<void> {
  await tabTo(page, testId);
  // A button that grants something counts once it has been in sight long enough.
  await expect(page.getByTestId(testId).first()).not.toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press(key);
}

test.setTimeout(120_000);

test("pairing, consent, agents and permissions are all done by keyboard", async ({ stage }) => {
  const { main, cards } = stage.program;
  const agent = stage.newAgent();
  const { code, done } = agent.pair("End-to-end agent", MANIFEST);
  await code;
  await pressOn(main, "pairing-scope-filesystem:write", "Space");
  await pressOn(main, "pairing-accept");
  const { grantedScopes } = await done;
  expect(grantedScopes).toContain("filesystem:write");
  expect(grantedScopes).not.toContain("shell:exec");
  await expect(main.getByTestId("pairing-card")).toHaveCount(0);
  await expect(main.getByRole("main")).toBeFocused();

  // The card's heading has the focus; nothing is allowed by a key that was meant for the page.
  const path = join(stage.folderWith({ "notes.md": "Buy milk.\n" }), "notes.md");
  const read = agent.call("read_file", { path });
  await stage.card();
  await tabTo(cards, "consent-allow-once");
  await expect(cards.getByTestId("consent-allow-once")).not.toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await cards.keyboard.press("Enter");
  await cards.waitForTimeout(STILL_MS);
  await expect(cards.getByTestId("consent-card")).toHaveCount(1);
  await cards.keyboard.press("a");
  expect(await read).toHaveProperty("result");
  // What a card has no room for is said to go on, and is reached.
  const copied = agent.call("write_clipboard", { text: "a text to be copied\n".repeat(200) });
  await (await stage.card()).getByRole("heading", { level: 2 }).focus();
  await expect(cards.getByTestId("consent-below")).toHaveText("More below");
  await tabTo(cards, "consent-body");
  await cards.keyboard.press("End");
  await expect(cards.getByTestId("consent-below")).toHaveCount(0);
  await expect(cards.getByTestId("consent-above")).toHaveText("More above");
  // A click beside the buttons leaves the keys what they are.
  await cards.locator(".card-head").click();
  await expect(cards.getByTestId("consent-allow-once")).not.toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await cards.waitForTimeout(STILL_MS);
  await cards.keyboard.press("d");
  await stage.denialLeaves();
  expect(await copied).toMatchObject({ error: { reason: "user_refused" } });
  await stage.noCard();

  await pressOn(main, "nav-agents");
  await pressOn(main, "agent-menu");
  await expect(main.getByTestId("agent-rename")).toBeFocused();
  await main.keyboard.press("Enter");
  await expect(main.getByTestId("rename-agent-name")).toBeFocused();
  await main.keyboard.type("Archivist");
  await main.keyboard.press("Enter");
  await expect(main.getByTestId("agent-section")).toContainText("Archivist");
  await expect(main.getByTestId("original-name")).toHaveText("calls itself End-to-end agent");

  await pressOn(main, "nav-activity");
  await expect(main.getByTestId("activity-row").first()).toContainText("Archivist");

  await pressOn(main, "nav-permissions");
  await tabTo(main, "permissions-search");
  await main.keyboard.type("notes");
  await expect(main.getByTestId("grant-row")).toHaveCount(0);
  await main.keyboard.press("Escape");
  await pressOn(main, "revoke-filesystem:read");
  await expect(main.getByTestId("revoke-filesystem:read")).toHaveCount(0);
  await expect(main.getByTestId("permissions-agent").locator(":focus")).toHaveCount(1);
  await pressOn(main, "revoke-agent");
  await expect(main.getByTestId("revoke-agent-dialog-cancel")).toBeFocused();
  await pressOn(main, "revoke-agent-dialog-confirm");
  await expect(main.getByTestId("grant-row")).toHaveCount(0);
  await expect(main.getByTestId("revoke-agent")).toBeFocused();

  await pressOn(main, "nav-agents");
  await pressOn(main, "agent-menu");
  await expect(main.getByTestId("agent-remove")).toBeVisible();
  await main.keyboard.press("End");
  await main.keyboard.press("Enter");
  await pressOn(main, "remove-agent-confirm");
  await expect(main.getByTestId("agent-section")).toHaveCount(0);
});
