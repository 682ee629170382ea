import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { chromiumLaunchOptions } from "../chromium.ts";
import type { HostOption, TestFixtures } from "../support/fixtures.ts";

/** Where systems keep the settings of their fonts; the bundled Chromium would use its own fonts alone. */
const SYSTEM_FONTS = "/etc/fonts";
if (existsSync(SYSTEM_FONTS)) process.env.FONTCONFIG_PATH ??= SYSTEM_FONTS;
const launchOptions = await chromiumLaunchOptions();

/** Pictures of every screen in every language, for people to look at (`npm run screenshots`). */
export default defineConfig<TestFixtures, HostOption>({
  testDir: ".",
  testMatch: "**/*.shots.ts",
  outputDir: "../../test-results/screenshots",
  timeout: 300_000,
  expect: { timeout: 15_000 },
  fullyParallel: true,
  workers: 2,
  reporter: "list",
  use: { launchOptions, host: "browser" },
  projects: ["en", "zh-CN", "de"].map((language) => ({
    name: language,
    use: { interfaceLanguage: language },
  })),
});
