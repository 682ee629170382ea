import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { chromiumLaunchOptions } from "../chromium.ts";

/** The Chromium that plays Electron's windows. */
export interface Stage {
  readonly context: BrowserContext;
  /** For `chromium.connectOverCDP`. */
  readonly cdp: string;
  close(): Promise<void>;
}

let opened: Promise<Stage> | undefined;

export function stage(): Promise<Stage> {
  opened ??= openStage();
  return opened;
}

/** Of a program that never had a window there is nothing to close. */
export const closeStage = async (): Promise<void> => (await opened)?.close();

async function openStage(): Promise<Stage> {
  const profile = await newProfile();
  const options = await chromiumLaunchOptions();
  const context = await chromium.launchPersistentContext(profile, {
    ...options,
    args: [...options.args, "--remote-debugging-port=0"],
    viewport: null,
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  // Only pages of windows have more to say to a request: their own routes come first.
  await context.route("**/*", (route) => route.abort());
  return {
    context,
    cdp: `http://127.0.0.1:${await debuggingPort(profile)}`,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Beside the file for the driver, where there is one: it tidies up even after a kill. */
async function newProfile(): Promise<string> {
  const file = process.env.ELECTRON_DOUBLE_CDP_FILE;
  return mkdtemp(join(file === undefined ? tmpdir() : dirname(file), "electron-double-"));
}

async function debuggingPort(profile: string): Promise<number> {
  const [port] = (await readFile(join(profile, "DevToolsActivePort"), "utf8")).split("\n");
  return Number(port);
}
