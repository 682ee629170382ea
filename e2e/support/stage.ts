import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { choose } from "./choose.ts";
import { findText } from "./find-text.ts";
import { ALL_SCOPES, MANIFEST } from "./manifest.ts";
import { installNotifier } from "./notifier.ts";
import { dropDataDir, newDataDir, type Program, type ProgramOptions } from "./program.ts";
import { type Credentials, RunningAgent } from "./running-agent.ts";
import { SmallDisk } from "./small-disk.ts";

type ProgramPlace = Pick<ProgramOptions, "dataDir" | "hubPort" | "env" | "profile" | "flags">;

/** How long a request outlives its agent's line (contract §3). */
const AGENT_ABSENCE_MS = 45_000;
/** How long a denial can be taken back (contract §3). */
const DENIAL_HELD_MS = 5_000;
/** Longer than the keyboard must be still for a letter to answer (contract §3). */
export const STILL_MS = 600;
/** Shorter texts stand in a folder by chance. */
const TELLING_CHARACTERS = 12;

/** A data folder, a running program on it, and what a person does in its windows. */
export class Stage {
  readonly #folder = newDataDir();
  readonly dataDir = join(this.#folder, "data");
  /** The home folder of the agents' account. */
  readonly agentsHome = join(this.#folder, "agents");
  /** The person's own: other programs keep their settings there. */
  readonly home = join(this.#folder, "home");
  readonly notifier = installNotifier(this.#folder);
  /** With which the program is started the next time. */
  readonly flags: string[] = [];
  readonly #start: (hubPort: number) => Promise<Program>;
  readonly #agents: RunningAgent[] = [];
  /** What the person decided about, which is stored for that. */
  readonly #givenPaths = new Set([this.#given]);
  #program: Program | undefined;
  /** Pages of ended ones may be open. */
  readonly #earlier: Program[] = [];
  #disk: SmallDisk | null = null;

  /** @param keepsProfile whether Chromium writes its profile to the disk */
  constructor(start: (place: ProgramPlace) => Promise<Program>, keepsProfile: boolean) {
    const { dataDir, notifier, home } = this;
    mkdirSync(home, { recursive: true });
    const profile = keepsProfile ? join(this.#folder, "profile") : null;
    // The log's anchor is kept with the settings of a person's programs, not with its data.
    const config = { XDG_CONFIG_HOME: join(this.#folder, "config") };
    const env = { ...notifier.env, ...config, HOME: home, USERPROFILE: home };
    this.#start = (hubPort) => start({ dataDir, env, hubPort, profile, flags: this.flags });
  }

  /** The data folder's own disk, where a test asked for one. */
  get disk(): SmallDisk {
    if (this.#disk === null) throw new Error("the data folder has no disk of its own");
    return this.#disk;
  }

  /** False where this account may mount nothing. */
  mountSmallDisk(mebibytes: number): boolean {
    this.#disk = SmallDisk.at(this.dataDir, mebibytes);
    return this.#disk !== null;
  }

  get program(): Program {
    if (this.#program === undefined) throw new Error("the program does not run");
    return this.#program;
  }

  /** Again on the same data folder and the same hub port, as agents know it. */
  async start(): Promise<Program> {
    const hub = this.#program?.ready.hub;
    if (this.#program !== undefined) this.#earlier.push(this.#program);
    this.#program = await this.#start(hub === undefined ? 0 : Number(new URL(hub).port));
    return this.#program;
  }

  /** @param hub where it asks */
  newAgent(hub = this.program.ready.hub): RunningAgent {
    const agent = new RunningAgent(hub, this.agentsHome);
    this.#agents.push(agent);
    return agent;
  }

  /** An agent the person has just connected, with these scopes granted. */
  async connectedAgent(
    scopes: readonly string[] = ALL_SCOPES,
    name = "End-to-end agent",
  ): Promise<{ agent: RunningAgent; credentials: Credentials }> {
    const agent = this.newAgent();
    const { code, done } = agent.pair(name, MANIFEST);
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

  /** The person makes a group of themselves and these agents. @returns its conversation */
  async newGroup(title: string, ...agentIds: readonly string[]): Promise<string> {
    const main = await this.open("conversations");
    await main.getByTestId("new-group").click();
    const dialog = main.getByTestId("new-group-dialog");
    await dialog.getByTestId("group-name").fill(title);
    for (const agentId of agentIds) await dialog.getByTestId(`group-agent-${agentId}`).check();
    await dialog.getByTestId("new-group-make").click();
    await expect(main.getByTestId("thread")).toHaveAttribute("data-kind", "group");
    const address = await main.evaluate(() => window.location.hash);
    return new URLSearchParams(address.slice(address.indexOf("?"))).get("open") ?? "";
  }

  /** The one card that is waiting. */
  async card(): Promise<Locator> {
    const card = this.program.cards.getByTestId("consent-card");
    await expect(card).toHaveCount(1);
    return card;
  }

  /** Several wait: a line for each, and one card. */
  async waits(count: number): Promise<Locator> {
    const { cards } = this.program;
    await expect(cards.getByTestId("waiting-row")).toHaveCount(count);
    return cards.getByTestId("consent-card");
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
      await this.program.jump(AGENT_ABSENCE_MS);
      await expect(this.program.cards.getByTestId("consent-card")).toHaveCount(0, { timeout: 500 });
    }).toPass();
  }

  /** Presses one of the card's buttons as soon as a person could, for the time in its name. */
  async press(button: string): Promise<void> {
    const card = await this.card();
    const lasts = /^consent-allow-(?!once$)(.+)$/.exec(button)?.[1];
    if (lasts !== undefined) await card.getByTestId(`consent-lasts-${lasts}`).click();
    if (button !== "consent-deny") return await press(card.getByTestId(button));
    await this.deny(card);
    await this.denialLeaves();
  }

  /** Has the open card give a folder, not a file alone: another one than it suggests, if that is named. */
  async choosesFolder(lasts: "once" | "conversation" | "today" | "always", path?: string) {
    const card = await this.card();
    await card.getByTestId(`consent-lasts-${lasts}`).click();
    await card.getByTestId("consent-root-change").click();
    const what = card.getByTestId("consent-root-what");
    if ((await what.count()) > 0) await choose(what, "folder");
    const field = card.getByTestId("consent-root");
    if (path !== undefined) await field.fill(path);
    return field;
  }

  /** Allows it, and gives the folder around what it is about until that is removed. */
  async opensFolder(): Promise<void> {
    await this.choosesFolder("always");
    await this.press("consent-allow-always");
  }

  /** Until the denial can be taken back. */
  async deny(card: Locator): Promise<void> {
    const { cards } = this.program;
    const id = await card.getAttribute("data-request-id");
    const same = cards.locator(`[data-testid="consent-card"][data-request-id="${id}"]`);
    await expect(async () => {
      // A card in another one's place takes no click at first: it may have been meant for the other.
      if ((await same.count()) > 0) await same.getByTestId("consent-deny").click({ timeout: 600 });
      await expect(cards.getByTestId("consent-undo")).toBeVisible({ timeout: 600 });
    }).toPass();
  }

  /** Nobody takes the denial back. */
  async denialLeaves(): Promise<void> {
    const undo = this.program.cards.getByTestId("consent-undo");
    await expect(undo).toBeVisible();
    await this.program.jump(DENIAL_HELD_MS);
    await expect(undo).toHaveCount(0);
  }

  async open(
    screen: "home" | "conversations" | "agents" | "permissions" | "activity" | "settings",
  ): Promise<Page> {
    const { main } = this.program;
    await main.getByTestId(`nav-${screen}`).click();
    return main;
  }

  async openConversation({ conversationId }: Credentials): Promise<Page> {
    const main = await this.open("conversations");
    const row = main.getByTestId("conversation-row");
    await row.and(main.locator(`[data-key="${conversationId}"]`)).click();
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
    const folder = this.#given;
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return folder;
  }

  /**
   * Where the data folder, with the hub's files, holds what was said in arguments and messages:
   * nowhere (contract §6, §9). Folders and files that the person gave an agent, or decided about
   * otherwise, are stored for that.
   */
  wordsStored(): readonly string[] {
    const said = this.#agents.flatMap((agent) => agent.said);
    const telling = said.filter(
      (text) => text.length >= TELLING_CHARACTERS && !this.#givenPaths.has(text),
    );
    return findText(this.dataDir, telling);
  }

  /** The person decides about this very path, as a file given alone or a folder to ignore. */
  decidesAbout(path: string): void {
    this.#givenPaths.add(path);
  }

  get #given(): string {
    return join(this.#folder, "for-the-agent");
  }

  async end(): Promise<void> {
    await Promise.all(this.#agents.map((agent) => agent.kill()));
    for (const each of [...this.#earlier, this.#program]) await each?.stop().catch(() => {});
    this.#disk?.unmount();
    dropDataDir(this.#folder);
  }
}

/** A high request can be allowed only after the end of its card was in sight. */
export function scrollCardToEnd(button: Element): void {
  const card = button.closest('[data-testid="consent-card"]');
  const body = card?.querySelector('[data-testid="consent-body"]');
  for (const each of [card, body]) each?.scrollTo(0, each.scrollHeight);
}

/** Clicks a button once it takes clicks: an approval is inert when its card has just appeared. */
export async function press(button: Locator): Promise<void> {
  // Scrolling to a button on the way to it would make it inert again. A card that is just replaced is looked for
  // again, and the end of one that has grown meanwhile is scrolled to again.
  await expect(async () => {
    await button.evaluate(scrollCardToEnd);
    await button.scrollIntoViewIfNeeded();
    await expect(button).not.toHaveAttribute("aria-disabled", "true", { timeout: 2_000 });
  }).toPass();
  if ((await button.getAttribute("data-hold")) === null) await button.click();
  else await hold(button);
}

/** Until the button takes no more: it is gone, or its answer is on the way. */
async function hold(button: Locator): Promise<void> {
  const page = button.page();
  await button.hover();
  await page.mouse.down();
  await expect(button.and(page.locator('[aria-disabled="false"]'))).toHaveCount(0);
  await page.mouse.up();
}
