import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { chromiumLaunchOptions } from "../e2e/chromium.ts";
import { ICON_SIDES, icnsFile, icoFile } from "./packaging/icon-files.ts";

/** Draws `packaging/icon.svg` in every size and form that systems want. What it writes is kept in git. */
const PACKAGING = new URL("../packaging/", import.meta.url);
const pathOf = (name: string): string => fileURLToPath(new URL(name, PACKAGING));

const svg = readFileSync(pathOf("icon.svg"), "utf8");
const browser = await chromium.launch(await chromiumLaunchOptions());
const page = await browser.newPage();
const pngs = new Map<number, Buffer>();
for (const side of ICON_SIDES) {
  await page.setViewportSize({ width: side, height: side });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${svg}`);
  pngs.set(side, await page.screenshot({ omitBackground: true }));
}
await browser.close();

mkdirSync(pathOf("icons"), { recursive: true });
for (const [side, png] of pngs) writeFileSync(pathOf(`icons/${side}x${side}.png`), png);
writeFileSync(pathOf("icon.ico"), icoFile(pngs));
writeFileSync(pathOf("icon.icns"), icnsFile(pngs));
// By which a test sees that they are the drawing's as it is now.
writeFileSync(pathOf("icon.svg.sha256"), `${createHash("sha256").update(svg).digest("hex")}\n`);
