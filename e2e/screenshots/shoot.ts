import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { missingGlyphs } from "../../renderer/text/glyphs/drawable.ts";
import { expect } from "../support/fixtures.ts";

const FOLDER = fileURLToPath(new URL("../../.screenshots", import.meta.url));

interface Look {
  readonly name: string;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly dark?: boolean;
  readonly forcedColors?: boolean;
}

/** 200 % zoom halves the CSS pixels of a window. */
const LOOKS: readonly Look[] = [
  { name: "light", width: 1180, height: 820 },
  { name: "dark", width: 1180, height: 820, dark: true },
  { name: "contrast", width: 1180, height: 820, dark: true, forcedColors: true },
  { name: "narrow", width: 360, height: 740 },
  { name: "zoom-200", width: 590, height: 410 },
  { name: "wide", width: 2560, height: 1300 },
];

/**
 * One picture of the page in each look; a page that is wider or longer than its window is a fault.
 * @param about what the picture is about, where that stands further down
 * @param before what is done at each size, where a change of size undoes it
 */
export async function shoot(
  page: Page,
  language: string,
  scene: string,
  about?: Locator,
  before?: () => Promise<void>,
): Promise<void> {
  const folder = join(FOLDER, language);
  mkdirSync(folder, { recursive: true });
  await expectDrawn(page);
  // Chinese punctuation has its own room (`useTexts().gap`).
  const body = expect.soft(page.locator("body"));
  if (language === "zh-CN") await body.not.toContainText(/[。！？，；：] \S/u);
  for (const look of LOOKS) {
    await page.setViewportSize(look);
    await page.emulateMedia({
      colorScheme: look.dark === true ? "dark" : "light",
      forcedColors: look.forcedColors === true ? "active" : "none",
      reducedMotion: "reduce",
    });
    await before?.();
    await about?.evaluate((element) => element.scrollIntoView());
    // Two frames: what follows the size of the window has followed it.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    await page.screenshot({
      path: join(folder, `${scene}-${look.name}.png`),
      animations: "disabled",
    });
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(wider, `${scene} at ${look.name} is wider than its window`).toBeLessThanOrEqual(0);
    // Its parts scroll; the page itself never does.
    const longer = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    expect
      .soft(longer, `${scene} at ${look.name} is longer than its window`)
      .toBeLessThanOrEqual(0);
  }
}

/** Boxes in the place of letters say nothing about how a page looks. */
async function expectDrawn(page: Page): Promise<void> {
  const shown = await page.evaluate(() => [...new Set(document.body.textContent)]);
  const missing = await page.evaluate(missingGlyphs, shown);
  const wanted = "No font here has these characters. Debian: fonts-noto-core, fonts-noto-cjk.";
  expect(missing.join(""), wanted).toBe("");
}
