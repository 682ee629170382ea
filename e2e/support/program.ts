import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  type Browser,
  type BrowserContext,
  chromium,
  _electron as electron,
  type Page,
} from "playwright-core";
import { chromiumLaunchOptions } from "../chromium.ts";
import { startUnderDouble, until } from "../electron-double/drive.ts";
import { withoutSandbox } from "./without-sandbox.ts";

export type HostUnderTest = "browser" | "electron-double" | "electron";

export interface ReadyLine {
  readonly event: "ready";
  readonly host: "browser" | "desktop";
  readonly ui: string;
  readonly hub: string;
}

/** The running program, whichever host it has. */
export interface Program {
  readonly ready: ReadyLine;
  /** The page of the main window. */
  readonly main: Page;
  /** The page that shows the consent cards. */
  readonly cards: Page;
  /** Lines it wrote: for programs, and for people. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** Where its pages' Chromium keeps a profile; null: in memory, or in the data folder. */
  readonly profile: string | null;
  /** The person presses what saves a file, and says where. */
  saveAs(path: string, press: () => Promise<void>): Promise<void>;
  /** Makes the program's time jump ahead. */
  jump(ms: number): Promise<void>;
  /** Ends it as the system would; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Ends it as a crash would; a page in a browser without a profile stays open. */
  kill(): Promise<void>;
}

export interface ProgramOptions {
  readonly host: HostUnderTest;
  readonly dataDir: string;
  readonly hubPort: number;
  /** The interface's language; English unless said. */
  readonly language?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly browser: Pick<Browser, "newContext">;
  /** Further flags of the start. */
  readonly flags?: readonly string[];
  /** A folder for the profile of a Chromium of its own; for the host "browser". */
  readonly profile: string | null;
  /** Where the built Electron is; for the host "electron". */
  readonly electronPath: string | null;
  /** False: as on a system without a sandbox for commands; for the host "browser". */
  readonly hasSandbox?: boolean;
}

const entryOf = (name: string) => new URL(`./${name}.mjs`, import.meta.url);

export function startProgram(options: ProgramOptions): Promise<Program> {
  switch (options.host) {
    case "browser":
      return startInBrowser(options);
    case "electron-double":
      return startInDouble(options);
    case "electron":
      return startInElectron(options);
    default:
      return options.host satisfies never;
  }
}

const flagsFor = ({ dataDir, hubPort, language, flags = [] }: ProgramOptions): string[] => [
  ...flags,
  "--no-open",
  "--lang",
  language ?? "en",
  "--data-dir",
  dataDir,
  "--hub-port",
  String(hubPort),
];

/** Among its arguments, Electron has some of Playwright's. */
const flagsInEnv = (options: ProgramOptions): Record<string, string> => ({
  CONSENTRY_E2E_FLAGS: JSON.stringify(flagsFor(options)),
});

function jumpFile(): { readonly env: Record<string, string>; jump(ms: number): Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), "consentry-jump-"));
  const file = join(folder, "address");
  return {
    env: { CONSENTRY_E2E_JUMP_FILE: file },
    async jump(ms) {
      await fetch(readFileSync(file, "utf8"), { method: "POST", body: String(ms) });
    },
  };
}

async function startInBrowser(options: ProgramOptions): Promise<Program> {
  const { env, jump } = jumpFile();
  const entry = fileURLToPath(entryOf("run-browser-entry"));
  const started = [process.execPath, entry, ...flagsFor(options)];
  const [command = "", ...args] = options.hasSandbox === false ? withoutSandbox(started) : started;
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...options.env, ...env },
  });
  const stderr: string[] = [];
  createInterface(child.stderr).on("line", (line) => stderr.push(line));
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, lines] = linesOf(child.stdout);
  const ready = await firstLine(lines, exited, stderr);
  const context = await contextFor(options);
  await context.grantPermissions(["clipboard-read", "clipboard-write", "notifications"]);
  const page = await context.newPage();
  await page.goto(ready.ui);
  return {
    ready,
    main: page,
    cards: page,
    stdout,
    stderr,
    profile: options.profile,
    async saveAs(path, press) {
      const saving = page.waitForEvent("download");
      await press();
      await (await saving).saveAs(path);
    },
    jump,
    async stop() {
      await context.close();
      child.kill("SIGTERM");
      return exited;
    },
    async kill() {
      if (options.profile !== null) await context.close();
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function contextFor({ profile, browser }: ProgramOptions): Promise<BrowserContext> {
  const locale = "en-US";
  if (profile === null) return browser.newContext({ locale });
  return chromium.launchPersistentContext(profile, { ...(await chromiumLaunchOptions()), locale });
}

function linesOf(output: NodeJS.ReadableStream): [readonly string[], Interface] {
  const written: string[] = [];
  return [written, createInterface(output).on("line", (line) => written.push(line))];
}

async function firstLine(
  lines: Interface,
  exited: Promise<number | null>,
  stderr: readonly string[],
): Promise<ReadyLine> {
  const line = new Promise<string>((resolve) => lines.once("line", resolve));
  const ended = exited.then((code) => {
    throw new Error(`the program ended with ${code}: ${stderr.join("\n")}`);
  });
  ended.catch(() => {});
  return JSON.parse(await Promise.race([line, ended]));
}

async function startInDouble(options: ProgramOptions): Promise<Program> {
  const { env, jump } = jumpFile();
  const driven = await startUnderDouble({
    args: [],
    entry: entryOf("run-desktop-entry"),
    env: { ...options.env, ...env, ...flagsInEnv(options) },
  });
  return {
    ready: driven.ready as ReadyLine,
    main: await driven.page("consentry://app/index.html"),
    cards: await driven.page("consentry://app/consent.html"),
    stdout: driven.stdout,
    stderr: driven.stderr,
    profile: driven.profile,
    async saveAs(path, press) {
      await press();
      await until(() => driven.act({ act: "choose", path }));
      // It is there when it is whole.
      await until(() => existsSync(path));
    },
    jump,
    stop: () => driven.stop(),
    kill: async () => driven.kill(),
  };
}

async function startInElectron(options: ProgramOptions): Promise<Program> {
  // A packaged app starts the entry that was put into it.
  const isPackaged = process.env.CONSENTRY_E2E_PACKAGED !== undefined;
  const { env, jump } = jumpFile();
  const app = await electron.launch({
    ...(options.electronPath === null ? {} : { executablePath: options.electronPath }),
    args: isPackaged ? [] : [fileURLToPath(entryOf("run-desktop-entry"))],
    env: { ...process.env, ...options.env, ...env, ...flagsInEnv(options) } as Record<
      string,
      string
    >,
  });
  const stderr: string[] = [];
  const process_ = app.process();
  if (process_.stdout === null || process_.stderr === null) throw new Error("no output to read");
  createInterface(process_.stderr).on("line", (line) => stderr.push(line));
  const exited = new Promise<number | null>((resolve) => process_.once("close", resolve));
  const [stdout, lines] = linesOf(process_.stdout);
  const ready = await firstLine(lines, exited, stderr);
  const pageAt = async (url: string): Promise<Page> => {
    const isIt = (page: Page) => page.url().startsWith(url);
    return app.windows().find(isIt) ?? app.waitForEvent("window", { predicate: isIt });
  };
  return {
    ready,
    main: await pageAt("consentry://app/index.html"),
    cards: await pageAt("consentry://app/consent.html"),
    stdout,
    stderr,
    profile: null,
    async saveAs(path, press) {
      await app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = async () => ({ canceled: false, filePath });
      }, path);
      await press();
      await until(() => existsSync(path));
    },
    jump,
    async stop() {
      process_.kill("SIGTERM");
      return exited;
    },
    async kill() {
      process_.kill("SIGKILL");
      await exited;
    },
  };
}

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), "consentry-e2e-"));
export const dropDataDir = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true });
