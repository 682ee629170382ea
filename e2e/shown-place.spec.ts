/** Where a request is shown, and when its time begins. */
import type { Locator, Page } from "@playwright/test";
import { expect, sharedStage, test } from "./support/fixtures.ts";
import { ALL_SCOPES } from "./support/manifest.ts";
import { press } from "./support/stage.ts";

const REFUSED = { error: { reason: "user_refused" } };
/** Longer than a high request waits. */
const TOO_LONG_MS = 40_000;

const waiting = (page: Page): Locator => page.getByTestId("consent-card");
const listed = (page: Page): Locator => page.getByTestId("waiting-row");
const timed = (page: Page): Locator =>
  page.locator('[data-testid="consent-card"][data-tool="read_clipboard"]');
const countdown = (page: Page): Locator => timed(page).getByTestId("consent-countdown");
const timeInList = (page: Page): Locator =>
  page.locator('[data-tool="read_clipboard"]').getByTestId("waiting-time");

/** Resolves once what is drawn has been looked at, and the host been told. */
const isLookedAt = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 30; frame += 1) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
    }
  });

test.describe("on one page", () => {
  const shared = sharedStage();

  test("after an answer the next card comes into view, and can be answered there", async () => {
    const stage = shared();
    const { agent } = await stage.connectedAgent();
    const { cards } = stage.program;
    await cards.setViewportSize({ width: 1_000, height: 560 });
    const calls = ["first", "second", "third"].map((text) =>
      agent.call("write_clipboard", { text }),
    );
    const card = await stage.waits(3);
    const rows = cards.getByTestId("waiting-row");
    for (const left of [2, 1, 0]) {
      // Scrolling to a button on the way to it would make it inert again.
      const allow = card.getByTestId("consent-allow-once");
      await allow.scrollIntoViewIfNeeded();
      await press(allow);
      await expect(rows).toHaveCount(left > 1 ? left : 0);
      await expect(card).toHaveCount(left > 0 ? 1 : 0);
      if (left > 0) await expect(card).toBeInViewport({ ratio: 0.99 });
    }
    for (const call of calls) expect(await call).toHaveProperty("result");
  });

  test("a click that was meant for the card before does not answer the next one", async () => {
    const stage = shared();
    const { agent } = await stage.connectedAgent();
    const { cards } = stage.program;
    await cards.setViewportSize({ width: 1_000, height: 560 });
    for (const text of ["first", "second", "third"]) void agent.call("write_clipboard", { text });
    const card = await stage.waits(3);
    await card.getByTestId("consent-deny").dblclick();
    await stage.waits(2);
    await isLookedAt(cards);
    await stage.waits(2);
  });
});

test("with two pages open a request is shown at the one in use: one clock, one end", {
  tag: "@browser",
}, async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  const { agent: other } = await stage.connectedAgent(ALL_SCOPES, "Another agent");
  const { main } = stage.program;
  const opened = main.context().waitForEvent("page");
  await main.evaluate(() => void window.open(location.href));
  const second = await opened;
  await expect(second.getByTestId("nav-home")).toBeVisible();
  // Everything is in sight on the second page; the person is at the first, where it is not.
  await second.setViewportSize({ width: 1_000, height: 2_400 });
  await main.setViewportSize({ width: 1_000, height: 560 });
  await main.mouse.move(500, 300);

  void other.call("write_clipboard", { text: "one" });
  await expect(waiting(main)).toHaveCount(1);
  const asked = agent.call("read_clipboard", {}, { timeoutMs: 300_000 });
  await expect(listed(main)).toHaveCount(2);
  void other.call("write_clipboard", { text: "two" });
  await expect(listed(main)).toHaveCount(3);
  void agent.call("write_clipboard", { text: "last" });
  await expect(listed(second)).toHaveCount(4);
  // What the other agent asked ends: on each page the one after the page's own is open.
  await main.keyboard.press("k");
  await main.keyboard.press("k");
  await expect(waiting(main)).toContainText("two");
  await expect(waiting(second)).toContainText("one");
  await main.mouse.move(510, 310);
  await main.getByTestId("consent-deny-all").click();
  await expect(timed(second)).toHaveCount(1);
  await expect(waiting(main)).toContainText("last");
  await isLookedAt(second);
  await stage.program.jump(TOO_LONG_MS);
  await isLookedAt(second);
  for (const page of [main, second]) {
    await expect(timeInList(page)).toHaveAttribute("data-running", "false");
    await expect(listed(page)).toHaveCount(2);
  }

  // Where the person goes its time begins, once for both pages.
  await second.mouse.move(500, 300);
  await expect(countdown(second)).toHaveAttribute("data-running", "true");
  await expect(timeInList(main)).toHaveAttribute("data-running", "true");
  await stage.program.jump(20_000);
  await second.reload();
  await expect(timeInList(second)).toHaveAttribute("data-running", "true");
  const left = await Promise.all(
    [main, second].map(async (page) => Number(await timeInList(page).getAttribute("data-seconds"))),
  );
  expect(left[1]).toBeLessThanOrEqual(10);
  await expect(timed(second).getByTestId("consent-allow-once")).not.toHaveAttribute(
    "aria-disabled",
    "true",
  );
  // Answered on one, it is gone from the other.
  await timed(second).getByTestId("consent-deny").click();
  await stage.denialLeaves();
  expect(await asked).toMatchObject(REFUSED);
  for (const page of [main, second]) await expect(waiting(page)).toContainText("last");
});
