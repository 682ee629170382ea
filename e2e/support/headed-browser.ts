import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { chromiumLaunchOptions } from "../chromium.ts";
import { until } from "../electron-double/drive.ts";

/** A browser with real windows on a screen of the test's own, which nobody sees. */
export interface HeadedBrowser {
  readonly context: BrowserContext;
  /** Without a window manager no window can be minimised. */
  readonly hasWindowManager: boolean;
  close(): Promise<void>;
}

/** Where a window is on the screen, as the browser's own protocol has it. */
export interface WindowBounds {
  readonly left?: number;
  readonly top?: number;
  readonly width?: number;
  readonly height?: number;
  readonly windowState?: "normal" | "minimized";
}

export const SCREEN = { left: 0, top: 0, width: 1_400, height: 1_000 } as const;

const installed = (...names: readonly string[]): string | null =>
  names
    .flatMap((name) => (process.env.PATH ?? "").split(":").map((folder) => join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }) ?? null;

const screen = installed("Xvfb");
const browser = installed("google-chrome-stable", "google-chrome", "chromium");
const windowManager = installed("openbox");

/** What this machine lacks for a browser with windows; null: nothing. */
export const headedLack: string | null =
  screen === null ? "no Xvfb here" : browser === null ? "no browser with windows here" : null;

/**
 * Playwright makes every page it opens believe itself visible and focused; attached without its
 * defaults, it leaves that to the browser.
 */
export async function startHeadedBrowser(): Promise<HeadedBrowser> {
  if (screen === null || browser === null) throw new Error(headedLack ?? "");
  const profile = await mkdtemp(join(tmpdir(), "consentry-headed-"));
  const started: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    // The screen last: what is on it ends badly without.
    for (const each of started.toReversed()) await end(each);
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  const start = (program: string, argv: readonly string[], env: NodeJS.ProcessEnv) => {
    started.push(spawn(program, argv, { env, stdio: "ignore" }));
  };
  try {
    const { server, display } = await startScreen(screen);
    started.push(server);
    const env = { ...process.env, DISPLAY: display, WAYLAND_DISPLAY: undefined };
    if (windowManager !== null) start(windowManager, [], env);
    const { args } = await chromiumLaunchOptions();
    const own = ["--no-first-run", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
    start(browser, [...args, ...own, "about:blank"], env);
    const driven = await chromium.connectOverCDP(await addressOf(profile), { noDefaults: true });
    const [context] = driven.contexts();
    if (context === undefined) throw new Error("the browser has no context");
    return { context, hasWindowManager: windowManager !== null, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function addressOf(profile: string): Promise<string> {
  const told = join(profile, "DevToolsActivePort");
  return until(async () => {
    const [port = ""] = (await readFile(told, "utf8").catch(() => "")).split("\n");
    return port !== "" && `http://127.0.0.1:${port}`;
  });
}

/** Moves, sizes or minimises the window that a page is in. */
export async function setWindow(page: Page, bounds: WindowBounds): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { windowId } = await session.send("Browser.getWindowForTarget");
  await session.send("Browser.setWindowBounds", { windowId, bounds });
  await session.detach();
}

/** A window of its own, with nothing in it. */
export async function openWindow(context: BrowserContext): Promise<Page> {
  const [here] = context.pages();
  if (here === undefined) throw new Error("there is no page to ask");
  const session = await context.newCDPSession(here);
  const opened = context.waitForEvent("page");
  await session.send("Target.createTarget", { url: "about:blank", newWindow: true });
  await session.detach();
  return opened;
}

async function startScreen(program: string) {
  const size = `${SCREEN.width}x${SCREEN.height}x24`;
  const argv = ["-displayfd", "3", "-screen", "0", size, "-nolisten", "tcp"];
  const server = spawn(program, argv, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const numbers = server.stdio[3];
  if (!(numbers instanceof Readable)) throw new TypeError("the screen has no number");
  const [number] = await once(createInterface(numbers), "line");
  return { server, display: `:${String(number)}` };
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, "exit");
  // Not SIGKILL: the screen takes its lock file and socket away with it.
  program.kill("SIGTERM");
  await ended;
}
