import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { electronBinary } from "./electron-binary.ts";
import { ALL_SCOPES, MANIFEST } from "./manifest.ts";
import { installNotifier } from "./notifier.ts";
import {
  dropDataDir,
  type HostUnderTest,
  newDataDir,
  type Program,
  type ProgramOptions,
  startProgram,
} from "./program.ts";
import { type Credentials, RunningAgent } from "./running-agent.ts";

type ProgramPlace = Pick<ProgramOptions, "dataDir" | "hubPort" | "env">;

/** A data folder, a running program on it, and what a person does in its windows. */
export class Stage {
  readonly #folder = newDataDir();
  readonly dataDir = join(this.#folder, "data");
  readonly notifier = installNotifier(this.#folder);
  readonly #start: (hubPort: number) => Promise<Program>;
  readonly #agents: RunningAgent[] = [];
  #program: Program | undefined;

  constructor(start: (place: ProgramPlace) => Promise<Program>) {
    const { dataDir, notifier } = this;
    this.#start = (hubPort) => start({ dataDir, env: notifier.env, hubPort });
  }

  get program(): Program {
    if (this.#program === undefined) throw new Error("the program does not run");
    return this.#program;
  }

  /** Again on the same data folder and the same hub port, as agents know it. */
  async start(): Promise<Program> {
    const hub = this.#program?.ready.hub;
    this.#program = await this.#start(hub === undefined ? 0 : Number(new URL(hub).port));
    return this.#program;
  }

  newAgent(): RunningAgent {
    const agent = new RunningAgent(this.program.ready.hub);
    this.#agents.push(agent);
    return agent;
  }

  /** An agent the person has just connected, with these scopes granted. */
  async connectedAgent(
    scopes: readonly string[] = ALL_SCOPES,
  ): Promise<{ agent: RunningAgent; credentials: Credentials }> {
    const agent = this.newAgent();
    const { code, done } = agent.pair("End-to-end agent", MANIFEST);
    await this.acceptPairing(await code, scopes);
    return { agent, credentials: await done };
  }

  async acceptPairing(code: string, scopes: readonly string[]): Promise<void> {
    const card = this.program.main.getByTestId("pairing-card").filter({ hasText: code });
    await expect(card.getByTestId("pairing-code")).toHaveText(code);
    for (const scope of ALL_SCOPES) {
      await card.getByTestId(`pairing-scope-${scope}`).setChecked(scopes.includes(scope));
    }
    await card.getByTestId("pairing-accept").click();
    await expect(card).toHaveCount(0);
  }

  /** The one card that is waiting. */
  async card(): Promise<Locator> {
    const card = this.program.cards.getByTestId("consent-card");
    await expect(card).toHaveCount(1);
    return card;
  }

  async noCard(): Promise<void> {
    await expect(this.program.cards.getByTestId("consent-card")).toHaveCount(0);
  }

  /**
   * The agent is gone for longer than a reconnect takes. Jumps until the program has noticed: how
   * soon it hears of a killed process is the system's affair.
   */
  async agentGone(agent: RunningAgent): Promise<void> {
    await agent.kill();
    await expect(async () => {
      await this.program.jump(5_000);
      await expect(this.program.cards.getByTestId("consent-card")).toHaveCount(0, { timeout: 500 });
    }).toPass();
  }

  /** Presses one of the card's buttons as soon as a person could. */
  async press(button: string): Promise<void> {
    await press((await this.card()).getByTestId(button));
  }

  async open(screen: "home" | "agents" | "permissions" | "activity" | "settings"): Promise<Page> {
    const { main } = this.program;
    await main.getByTestId(`nav-${screen}`).click();
    return main;
  }

  /** The log's line about a call of this tool with this outcome. */
  async logLine(fields: Record<string, string>): Promise<Locator> {
    const main = await this.open("activity");
    const marks = Object.entries(fields).map(([name, value]) => `[data-${name}="${value}"]`);
    return main.locator(`[data-testid="activity-row"]${marks.join("")}`);
  }

  /** A folder of files for the agent to read, beside the data folder's own files. */
  folderWith(files: Record<string, string>): string {
    const folder = join(this.#folder, "for-the-agent");
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return folder;
  }

  async end(): Promise<void> {
    await Promise.all(this.#agents.map((agent) => agent.kill()));
    await this.#program?.stop().catch(() => {});
    dropDataDir(this.#folder);
  }
}

/** Clicks a button once it takes clicks: an approval is inert when its card has just appeared. */
export async function press(button: Locator): Promise<void> {
  await expect(button).not.toHaveAttribute("aria-disabled", "true");
  await button.click();
}

export interface HostOption {
  readonly host: HostUnderTest;
}

export const test = base.extend<{ stage: Stage }, HostOption>({
  host: ["browser", { option: true, scope: "worker" }],
  stage: async ({ browser, host }, use) => {
    const electronPath = electronBinary();
    test.skip(host === "electron" && electronPath === null, "no Electron binary on this machine");
    const stage = new Stage((place) => startProgram({ ...place, host, browser, electronPath }));
    await stage.start();
    await use(stage);
    await stage.end();
  },
});

export { expect };
