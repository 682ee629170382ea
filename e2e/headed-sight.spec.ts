/**
 * What counts as seen in a browser with real windows: a headless one believes itself visible always.
 * Skipped where there is no Xvfb, or no browser that draws windows.
 */
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import {
  type HeadedBrowser,
  headedLack,
  openWindow,
  SCREEN,
  setWindow,
  startHeadedBrowser,
} from "./support/headed-browser.ts";
import { startProgram } from "./support/program.ts";
import type { CallOutcome, RunningAgent } from "./support/running-agent.ts";
import { Stage } from "./support/stage.ts";

/** Longer than a high request waits for an answer once it was seen. */
const TOO_LONG_MS = 31_000;
const INERT_MS = 500;

interface WatchedWindow extends Window {
  sight?: { shownAt: number; armedAt: number };
}

test.skip(headedLack !== null, headedLack ?? "");
test.describe.configure({ mode: "serial" });

let headed: HeadedBrowser;
let stage: Stage;
let agent: RunningAgent;
let page: Page;

test.beforeAll(async () => {
  if (headedLack !== null) return;
  headed = await startHeadedBrowser();
  const windows = { newContext: async () => headed.context };
  const host = { host: "browser", browser: windows, electronPath: null } as const;
  stage = new Stage((place) => startProgram({ ...place, ...host }), false);
  await stage.start();
  page = stage.program.main;
  ({ agent } = await stage.connectedAgent());
});

test.afterAll(async () => {
  await stage?.end();
  await headed?.close();
});

/** A request that times out unanswered: high, and to be had on every machine. */
function ask(): Promise<CallOutcome> {
  const path = join(stage.folderWith({}), "new.txt");
  return agent.call("write_file", { path, content: "." });
}
const cards = (on: Page) => on.getByTestId("consent-card");
/** The cards' countdowns in their order: whether they run. */
const running = (on: Page) =>
  on.getByTestId("consent-countdown").evaluateAll((all) => all.map((each) => each.dataset.running));
const hidden = (on: Page) => on.waitForFunction(() => document.visibilityState === "hidden");

/** Resolves once what the page had put off with timers has had its turn: hidden, it waits longer. */
const turnsOf = (on: Page) =>
  on.evaluate(async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setTimeout(done, 50));
  });

interface Asked {
  readonly outcome: Promise<CallOutcome>;
}

/** A request arrives, and waits for as long as anybody may take, without being seen. */
async function staysUnseen(): Promise<Asked> {
  await hidden(page);
  const outcome = ask();
  await expect(cards(page)).toHaveCount(1);
  await turnsOf(page);
  await stage.program.jump(TOO_LONG_MS);
  expect(await running(page)).toEqual(["false"]);
  return { outcome };
}

/** It comes into sight: now it is seen, but not to be approved at once; and only now time runs out. */
async function isSeenAfter(show: () => Promise<unknown>, { outcome }: Asked): Promise<void> {
  await page.evaluate(() => {
    const sight = { shownAt: Number.NaN, armedAt: Number.NaN };
    (window as WatchedWindow).sight = sight;
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) sight.shownAt = performance.now();
    });
    new MutationObserver(() => {
      const allow = document.querySelector('[data-testid="consent-allow-once"]');
      if (allow?.ariaDisabled === "false") sight.armedAt = performance.now();
    }).observe(document, { subtree: true, attributeFilter: ["aria-disabled"] });
  });
  await show();
  await expect(page.getByTestId("consent-allow-once")).toHaveAttribute("aria-disabled", "false");
  const sight = await page.evaluate(() => (window as WatchedWindow).sight);
  expect((sight?.armedAt ?? 0) - (sight?.shownAt ?? 0)).toBeGreaterThanOrEqual(INERT_MS);
  expect(await running(page)).toEqual(["true"]);
  await stage.program.jump(TOO_LONG_MS);
  expect(await outcome).toMatchObject({ error: { reason: "user_timeout" } });
  await expect(cards(page)).toHaveCount(0);
}

test("a card in a background tab is not seen before its tab is in front", async () => {
  const other = await headed.context.newPage();
  const asked = await staysUnseen();
  await isSeenAfter(() => other.close(), asked);
});

test("a card in a minimised window is not seen before the window is back", async () => {
  test.skip(!headed.hasWindowManager, "no window manager here (openbox)");
  await setWindow(page, { windowState: "minimized" });
  const asked = await staysUnseen();
  await isSeenAfter(() => setWindow(page, { windowState: "normal" }), asked);
});

test("a card in a window that another covers is not seen before a part of it comes out", async () => {
  const cover = await openWindow(headed.context);
  await setWindow(cover, SCREEN);
  const asked = await staysUnseen();
  await isSeenAfter(() => setWindow(cover, { width: 500, height: 500 }), asked);
  expect(await page.evaluate(() => document.hasFocus())).toBe(false);
  await cover.close();
});

test("a card seen once is not seen again: the time that runs is the first page's", async () => {
  await page.bringToFront();
  const asked = ask();
  await expect.poll(() => running(page)).toEqual(["true"]);
  const opened = headed.context.waitForEvent("page");
  await page.evaluate(() => void window.open(location.href));
  const second = await opened;
  await stage.program.jump(TOO_LONG_MS / 2);
  await expect(second.getByTestId("consent-allow-once")).toHaveAttribute("aria-disabled", "false");
  await stage.program.jump(TOO_LONG_MS / 2);
  expect(await asked).toMatchObject({ error: { reason: "user_timeout" } });
  await second.close();
});

test("a request that one page only lists is not seen by another in a background tab", async () => {
  const opened = headed.context.waitForEvent("page");
  await page.evaluate(() => void window.open(location.href));
  const second = await opened;
  await page.bringToFront();
  await hidden(second);
  await setWindow(page, { width: 700, height: 620 });
  const asked = [ask(), ask()];
  await expect(second.getByTestId("waiting-row")).toHaveCount(2);
  // The time of the one that is listed begins when it is opened, as it is once the first has ended.
  for (const each of asked) {
    await expect(cards(page)).toHaveCount(1);
    await expect.poll(() => running(page)).toEqual(["true"]);
    await stage.program.jump(TOO_LONG_MS);
    expect(await each).toMatchObject({ error: { reason: "user_timeout" } });
  }
  await second.close();
});
