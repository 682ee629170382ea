import { defineConfig } from "@playwright/test";
import { chromiumLaunchOptions } from "./chromium.ts";
import type { HostOption } from "./support/fixtures.ts";

const launchOptions = await chromiumLaunchOptions();

/**
 * About starting and its failures, which need no window, a real browser's windows, person and downloads,
 * other agents, and pages whose host is scripted.
 */
const BROWSER_ONLY =
  /(?:backup|bad-input|conversations-.*|headed-sight|long-log|(?:mcp-)?start|real-(?:agents|terminals)|voice-denied)\.spec\.ts$/;
/** Reads window states from the double. */
const DOUBLE_ONLY = /desktop-(?:links|presence|services|sight|updates|windows)\.spec\.ts$/;

/** About what is the same in every host, as its pages are: looked at in one. */
const ONCE =
  /(?:accessibility|activity|adding|agent-words|agents|artifacts|commands|connect-apps|conversations|everyday|full-disk|full-history|groups|keys|managed|own-network|paused|quiet-periods|removed-agents|rules|shared-hub|suspending|writing)\.spec\.ts$/;

/**
 * On real Electron a spec runs only where its binary is. Tests of other specs say by a tag where they
 * run: `@browser` in the browser host alone, `@double` under the double alone, and `@once`, about
 * what is the same in every host, not under the double.
 */
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
    {
      name: "browser host",
      use: { host: "browser" },
      testIgnore: DOUBLE_ONLY,
      grepInvert: /@double/,
    },
    {
      name: "desktop host, Electron double",
      use: { host: "electron-double" },
      testIgnore: [BROWSER_ONLY, ONCE],
      grepInvert: /@(?:browser|once)/,
    },
    {
      name: "desktop host, Electron",
      use: { host: "electron" },
      testIgnore: [BROWSER_ONLY, DOUBLE_ONLY],
      grepInvert: /@(?:browser|double)/,
    },
  ],
});
