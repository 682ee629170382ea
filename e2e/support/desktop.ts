import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { type DrivenProgram, startUnderDouble, until } from "../electron-double/drive.ts";
import { expect, test } from "./fixtures.ts";
import { MANIFEST } from "./manifest.ts";
import { dropDataDir, newDataDir } from "./program.ts";
import { RunningAgent } from "./running-agent.ts";

export const MAIN = "consentry://app/index.html";
export const CONSENT = "consentry://app/consent.html";

/** Whichever host a second start has, the one that runs shows its windows. */
const BROWSER_MAIN = new URL("../../dist/main/browser-main.js", import.meta.url);

interface Reply {
  readonly ok: boolean;
  readonly code?: string;
  readonly result?: unknown;
}

/** What the preload gives a page. */
export interface DesktopWindow extends Window {
  readonly consentry: {
    call(name: string, args: unknown): Promise<Reply>;
    listen(name: string, listener: (event: unknown) => void): () => void;
  };
}

interface InstalledCopy {
  readonly entry: URL;
  readonly env: Readonly<Record<string, string>>;
}

interface Snapshot {
  readonly paused: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly pairings: readonly {
    readonly pairing_id: string;
    readonly scopes: readonly { readonly id: string }[];
  }[];
  readonly consents: readonly {
    readonly request_id: string;
    readonly tool_name: string;
    readonly remaining_ms: number | null;
  }[];
}

/** The desktop host on the Electron double: what its windows show, and what was done with them. */
export class Desktop {
  readonly folder = newDataDir();
  #running: { readonly program: DrivenProgram; readonly page: Page } | undefined;
  #agent: RunningAgent | undefined;
  readonly #installed: InstalledCopy | undefined;

  /** @param installed another copy of the program than the built one */
  constructor(installed?: InstalledCopy) {
    this.#installed = installed;
  }

  async start(): Promise<void> {
    const config = { XDG_CONFIG_HOME: join(this.folder, "config") };
    const program = await startUnderDouble({
      args: ["--data-dir", join(this.folder, "data")],
      ...this.#installed,
      env: { ...config, ...this.#installed?.env },
    });
    const page = await program.page(MAIN);
    this.#running = { program, page };
    await page.waitForFunction(() => document.hasFocus());
  }

  async restart(): Promise<void> {
    expect(await this.program.stop()).toBe(0);
    await this.start();
  }

  /** A second start on the same data folder. @returns its exit code */
  async startAgain(): Promise<number | null> {
    const args = [
      fileURLToPath(BROWSER_MAIN),
      "--data-dir",
      join(this.folder, "data"),
      "--no-open",
    ];
    const second = spawn(process.execPath, args, { stdio: "ignore" });
    const [code] = await once(second, "close");
    return code;
  }

  async end(): Promise<void> {
    await this.#agent?.kill();
    await this.#running?.program.stop();
    dropDataDir(this.folder);
  }

  get program(): DrivenProgram {
    if (this.#running === undefined) throw new Error("the program does not run");
    return this.#running.program;
  }

  /** The main window's. */
  get page(): Page {
    if (this.#running === undefined) throw new Error("the program does not run");
    return this.#running.page;
  }

  /** A call as a page makes it. */
  call(name: string, args: unknown, page = this.page): Promise<Reply> {
    return page.evaluate(
      ([asked, given]) => (window as unknown as DesktopWindow).consentry.call(asked, given),
      [name, args] as const,
    );
  }

  async snapshot(): Promise<Snapshot> {
    return (await this.call("app.snapshot", {})).result as Snapshot;
  }

  /** The request in this place, once it waits. */
  waiting(nth = 0) {
    return until(async () => (await this.snapshot()).consents[nth]);
  }

  /** The person adds who asks to be added, with these scopes or all. */
  async accept(scopes?: readonly string[]): Promise<void> {
    const asked = await until(async () => (await this.snapshot()).pairings[0]);
    const { pairing_id } = asked;
    const granted_scopes = scopes ?? asked.scopes.map(({ id }) => id);
    await this.call("pairing.answer", { pairing_id, accept: true, granted_scopes });
  }

  /** An agent called Ada. */
  async addAgent(scopes?: readonly string[], manifest: object = MANIFEST): Promise<RunningAgent> {
    const { hub } = this.program.ready as { readonly hub: string };
    const agent = new RunningAgent(hub, this.folder);
    this.#agent = agent;
    const { done } = agent.pair("Ada", manifest);
    await this.accept(scopes);
    await done;
    return agent;
  }

  /** The window at this address as the system has it. */
  windowAt(url: string) {
    return until(async () =>
      (await this.program.windows()).find((each) => each.url.startsWith(url)),
    );
  }

  /** What was done of this kind, in order. */
  async recorded(what: string): Promise<readonly unknown[]> {
    const all = await this.program.record();
    return all.filter((entry) => entry.what === what).map(({ detail }) => detail);
  }
}

/** One for all tests of a file, which run in their order. */
export function sharedDesktop(): Desktop {
  const desktop = new Desktop();
  test.describe.configure({ mode: "serial" });
  test.beforeAll(() => desktop.start());
  test.afterAll(() => desktop.end());
  return desktop;
}
