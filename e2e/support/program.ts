import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Browser, _electron as electron, type Page } from "playwright-core";
import { startUnderDouble } from "../electron-double/drive.ts";

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
  readonly stderr: readonly string[];
  /** Makes the program's time jump ahead. */
  jump(ms: number): Promise<void>;
  /** Ends it as the system would; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

export interface ProgramOptions {
  readonly host: HostUnderTest;
  readonly dataDir: string;
  readonly hubPort: number;
  readonly env: Readonly<Record<string, string>>;
  readonly browser: Browser;
  /** Where the built Electron is; for the host "electron". */
  readonly electronPath: string | null;
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

const flagsFor = ({ dataDir, hubPort }: ProgramOptions): string[] => [
  "--no-open",
  "--lang",
  "en",
  "--data-dir",
  dataDir,
  "--hub-port",
  String(hubPort),
];

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
  const args = [fileURLToPath(entryOf("run-browser-entry")), ...flagsFor(options)];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...options.env, ...env },
  });
  const stderr: string[] = [];
  createInterface(child.stderr).on("line", (line) => stderr.push(line));
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const ready = await firstLine(child.stdout, exited, stderr);
  const context = await options.browser.newContext({ locale: "en-US" });
  await context.grantPermissions(["clipboard-read", "clipboard-write", "notifications"]);
  const page = await context.newPage();
  await page.goto(ready.ui);
  const end = async (signal: NodeJS.Signals) => {
    await context.close();
    child.kill(signal);
    return exited;
  };
  return {
    ready,
    main: page,
    cards: page,
    stderr,
    jump,
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
}

async function firstLine(
  stdout: NodeJS.ReadableStream,
  exited: Promise<number | null>,
  stderr: readonly string[],
): Promise<ReadyLine> {
  const line = new Promise<string>((resolve) => createInterface(stdout).once("line", resolve));
  const ended = exited.then((code) => {
    throw new Error(`the program ended with ${code}: ${stderr.join("\n")}`);
  });
  ended.catch(() => {});
  return JSON.parse(await Promise.race([line, ended]));
}

async function startInDouble(options: ProgramOptions): Promise<Program> {
  const { env, jump } = jumpFile();
  const driven = await startUnderDouble({
    args: flagsFor(options),
    entry: entryOf("run-desktop-entry"),
    env: { ...options.env, ...env },
  });
  return {
    ready: driven.ready as ReadyLine,
    main: await driven.page("consentry://app/index.html"),
    cards: await driven.page("consentry://app/consent.html"),
    stderr: driven.stderr,
    jump,
    stop: () => driven.stop(),
    kill: async () => driven.kill(),
  };
}

async function startInElectron(options: ProgramOptions): Promise<Program> {
  const { env, jump } = jumpFile();
  const app = await electron.launch({
    ...(options.electronPath === null ? {} : { executablePath: options.electronPath }),
    args: [fileURLToPath(entryOf("run-desktop-entry")), ...flagsFor(options)],
    env: { ...process.env, ...options.env, ...env } as Record<string, string>,
  });
  const stderr: string[] = [];
  const process_ = app.process();
  if (process_.stdout === null || process_.stderr === null) throw new Error("no output to read");
  createInterface(process_.stderr).on("line", (line) => stderr.push(line));
  const exited = new Promise<number | null>((resolve) => process_.once("close", resolve));
  const ready = await firstLine(process_.stdout, exited, stderr);
  const pageAt = async (url: string): Promise<Page> => {
    const isIt = (page: Page) => page.url().startsWith(url);
    return app.windows().find(isIt) ?? app.waitForEvent("window", { predicate: isIt });
  };
  return {
    ready,
    main: await pageAt("consentry://app/index.html"),
    cards: await pageAt("consentry://app/consent.html"),
    stderr,
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
