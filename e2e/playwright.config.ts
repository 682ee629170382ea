import { defineConfig } from "@playwright/test";
import { chromiumLaunchOptions } from "./chromium.ts";
import type { HostOption } from "./support/fixtures.ts";

const launchOptions = await chromiumLaunchOptions();

/** About starting and its failures, which need no window, a real browser's windows and person, and other agents. */
const BROWSER_ONLY = /(start|bad-input|headed-sight|real-agents|voice-denied)\.spec\.ts$/;
/** Reads window states from the double. */
const DOUBLE_ONLY = /desktop-(?:links|presence|services|sight|updates|windows)\.spec\.ts$/;

/** About what stands on the pages, which are the same in every host: looked at in one. */
const PAGES_ONLY =
  /(?:accessibility|activity|adding|agent-words|agents|artifacts|backup|connect-apps|conversations(?:-.*)?|full-history|groups|keys|long-log|managed|own-network|quiet-periods|removed-agents|rules)\.spec\.ts$/;

/** On real Electron a spec runs only where its binary is. */
export default defineConfig<object, HostOption>({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  outputDir: "../test-results",
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: true,
  // They wait more than they work: two processors do three at once.
  workers: 3,
  use: { launchOptions },
  projects: [
    { name: "browser host", use: { host: "browser" }, testIgnore: DOUBLE_ONLY },
    {
      name: "desktop host, Electron double",
      use: { host: "electron-double" },
      testIgnore: [BROWSER_ONLY, PAGES_ONLY],
    },
    {
      name: "desktop host, Electron",
      use: { host: "electron" },
      testIgnore: [BROWSER_ONLY, DOUBLE_ONLY],
    },
  ],
});
