import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { toPageUrl } from "./addresses.ts";
import type { Act, WindowState } from "./control-server.ts";
import type { RecordEntry } from "./record.ts";

const REGISTER = new URL("./register.mjs", import.meta.url).href;
const ENTRY = new URL("../../dist/main/desktop-main.js", import.meta.url);

export interface DrivenProgram {
  readonly context: BrowserContext;
  /** The line of JSON the program printed when it was ready. */
  readonly ready: unknown;
  /** The window's page, once it has loaded, by the address the program knows it under. */
  page(appUrl: string): Promise<Page>;
  record(): Promise<readonly RecordEntry[]>;
  windows(): Promise<readonly WindowState[]>;
  /** False when there was nothing to do it to. */
  act(act: Act): Promise<boolean>;
  /** Lines the program wrote: for programs, and for people. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** The folder of its Chromium's profile; gone once the program ended. */
  readonly profile: string;
  /** The exit code. */
  readonly exited: Promise<number | null>;
  /** Asks the program to end, as the system does, and waits until it has. */
  stop(): Promise<number | null>;
  /** Ends it without a word, as a crash does. */
  kill(): Promise<void>;
}

const LOOK_EVERY_MS = 20;
const LOOK_FOR_MS = 20_000;

/** The first thing `look` finds. @throws Error when nothing is found in time */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = performance.now() + LOOK_FOR_MS;
  while (performance.now() < deadline) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await setTimeout(LOOK_EVERY_MS);
  }
  throw new Error(`not found within ${LOOK_FOR_MS} ms: ${look}`);
}

/** Starts a built entry under the double, and drives its Chromium from this process. */
export async function startUnderDouble(options: {
  readonly args: readonly string[];
  /** Default: the built desktop-main.js. */
  readonly entry?: URL;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<DrivenProgram> {
  const folder = await mkdtemp(join(tmpdir(), "electron-double-drive-"));
  const cdpFile = join(folder, "cdp.json");
  const child = spawn(
    process.execPath,
    ["--import", REGISTER, fileURLToPath(options.entry ?? ENTRY), ...options.args],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...options.env, ELECTRON_DOUBLE_CDP_FILE: cdpFile },
    },
  );
  const stderr: string[] = [];
  createInterface(child.stderr).on("line", (line) => stderr.push(line));
  const exited = once(child, "close").then(([code]) => code as number | null);
  const stdout: string[] = [];
  const lines = createInterface(child.stdout).on("line", (line) => stdout.push(line));
  const firstLine = once(lines, "line").then(([line]) => String(line));
  const ended = exited.then((code) => {
    throw new Error(`the program ended with ${code}: ${stderr.join("\n")}`);
  });
  ended.catch(() => {});
  const ready: unknown = JSON.parse(await Promise.race([firstLine, ended]));
  const { cdp, control } = JSON.parse(await readFile(cdpFile, "utf8"));
  const end = async (signal: NodeJS.Signals) => {
    await browser.close();
    child.kill(signal);
    const code = await exited;
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    return code;
  };
  const browser = await chromium.connectOverCDP(cdp);
  const [context] = browser.contexts();
  if (context === undefined) throw new Error("Chromium has no context");
  const get = async (path: string) => (await fetch(`${control}${path}`)).json();
  return {
    context,
    ready,
    stdout,
    stderr,
    profile: folder,
    exited,
    page: (appUrl) =>
      until(() => context.pages().find((page) => page.url().startsWith(toPageUrl(appUrl)))),
    record: () => get("/record"),
    windows: () => get("/windows"),
    async act(act) {
      const body = JSON.stringify(act);
      return (await fetch(`${control}/act`, { method: "POST", body })).ok;
    },
    stop: () => end("SIGTERM"),
    async kill() {
      await end("SIGKILL");
    },
  };
}
