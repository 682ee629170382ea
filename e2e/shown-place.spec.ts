/** Where a request is shown, and when its time begins. */
import type { Locator, Page } from "@playwright/test";
import { expect, press, test } from "./support/fixtures.ts";

const REFUSED = { error: { reason: "user_refused" } };
/** Longer than a high request waits. */
const TOO_LONG_MS = 40_000;

const waiting = (page: Page): Locator => page.getByTestId("consent-card");
const timed = (page: Page): Locator => page.locator('[data-tool="read_clipboard"]');
const countdown = (page: Page): Locator => timed(page).getByTestId("consent-countdown");

/** Resolves once what is drawn has been looked at, and the host been told. */
const isLookedAt = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 30; frame += 1) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
    }
  });

test("after an answer the next card comes into view, and can be answered there", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const { cards } = stage.program;
  await cards.setViewportSize({ width: 1_000, height: 560 });
  const calls = ["first", "second", "third"].map((text) => agent.call("write_clipboard", { text }));
  await expect(waiting(cards)).toHaveCount(3);
  for (const left of [2, 1, 0]) {
    // Scrolling to a button on the way to it would make it inert again.
    const allow = waiting(cards).first().getByTestId("consent-allow-once");
    await allow.scrollIntoViewIfNeeded();
    await press(allow);
    await expect(waiting(cards)).toHaveCount(left);
    if (left === 0) break;
    const next = waiting(cards).first();
    await expect(next).toBeInViewport({ ratio: 0.99 });
  }
  for (const call of calls) expect(await call).toHaveProperty("result");
});

test("a click that was meant for the card before does not answer the next one", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const { cards } = stage.program;
  await cards.setViewportSize({ width: 1_000, height: 560 });
  for (const text of ["first", "second", "third"]) void agent.call("write_clipboard", { text });
  await expect(waiting(cards)).toHaveCount(3);
  await waiting(cards).first().getByTestId("consent-deny").dblclick();
  await expect(waiting(cards)).toHaveCount(2);
  await isLookedAt(cards);
  await expect(waiting(cards)).toHaveCount(2);
});

test("with two pages open a request is shown at the one in use: one clock, one end", async ({
  stage,
  host,
}) => {
  test.skip(host !== "browser", "the desktop has one window for requests");
  const { agent } = await stage.connectedAgent();
  const { main } = stage.program;
  const opened = main.context().waitForEvent("page");
  await main.evaluate(() => void window.open(location.href));
  const second = await opened;
  await expect(second.getByTestId("nav-home")).toBeVisible();
  // Everything is in sight on the second page; the person is at the first, where it is not.
  await second.setViewportSize({ width: 1_000, height: 2_400 });
  await main.setViewportSize({ width: 1_000, height: 560 });
  await main.mouse.move(500, 300);

  for (const text of ["first", "second"]) void agent.call("write_clipboard", { text });
  await expect(waiting(main)).toHaveCount(2);
  const asked = agent.call("read_clipboard", {}, { timeoutMs: 300_000 });
  await expect(waiting(second)).toHaveCount(3);
  await isLookedAt(second);
  await stage.program.jump(TOO_LONG_MS);
  await isLookedAt(second);
  for (const page of [main, second]) {
    await expect(countdown(page)).toHaveAttribute("data-running", "false");
    await expect(waiting(page)).toHaveCount(3);
  }

  // Where the person goes its time begins, once for both pages.
  await second.mouse.move(500, 300);
  for (const page of [second, main]) {
    await expect(countdown(page)).toHaveAttribute("data-running", "true");
  }
  await stage.program.jump(20_000);
  await second.reload();
  await expect(countdown(second)).toHaveAttribute("data-running", "true");
  const left = await Promise.all(
    [main, second].map(async (page) => Number(await countdown(page).getAttribute("data-seconds"))),
  );
  expect(left[1]).toBeLessThanOrEqual(10);
  // Answered on one, it is gone from the other.
  await timed(second).getByTestId("consent-deny").click();
  await stage.denialLeaves();
  expect(await asked).toMatchObject(REFUSED);
  for (const page of [main, second]) await expect(timed(page)).toHaveCount(0);
});
