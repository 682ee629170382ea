import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import type { Profile } from "../../app/contract/settings.ts";
import { startBuiltClient } from "../subjects/built-client.ts";
import { AGENTS, dayOf, pagesToFetch, type Request } from "../subjects/day.ts";
import { atHome } from "../subjects/measured-process.ts";
import { WatchedPage } from "../subjects/watched-page.ts";
import type { SuiteParts, SuiteResult } from "./suite.ts";

const AGENT = fileURLToPath(new URL("../processes/day-agent.mjs", import.meta.url));
/** Milliseconds without a key, after which a key counts on a card. */
const STILL_MS = 600;
/** More stops for the keyboard than a card has. */
const MOST_STOPS = 20;

/** What a person had to do for some of a day's requests. */
interface Effort {
  requests: number;
  decisions: number;
  presses: number;
}

/** How much a person decides and presses on a day of a hundred requests. */
export async function daySuite(parts: SuiteParts): Promise<SuiteResult> {
  const notes: string[] = [];
  for (const profile of ["ask_everything", "everyday"] as const) {
    parts.say(`A day under ${profile}.`);
    notes.push(...linesOf(profile, await lived(parts, profile)));
  }
  return {
    about: "100 requests of 3 agents, answered by keyboard",
    rows: [],
    comparisons: [],
    notes,
  };
}

async function lived(
  { folder }: SuiteParts,
  profile: Profile,
): Promise<ReadonlyMap<string, Effort>> {
  // Nothing of one day is left when the next begins.
  await using ending = new AsyncDisposableStack();
  const place = join(folder, profile);
  const client = await startBuiltClient(join(place, "client"), []);
  ending.defer(() => client.close());
  const { page, ...watched } = await openPage(client.ui);
  ending.defer(watched.close);
  const { server, origin } = await pagesToFetch();
  ending.defer(() => void server.close());
  const agents = new Map<string, ChildProcess>();
  for (const name of AGENTS) {
    const agent = fork(AGENT, [client.hub, name], { env: atHome(join(place, name)) });
    ending.defer(() => void agent.disconnect());
    agents.set(name, agent);
    await accept(page, agent);
  }
  await page.getByTestId("nav-settings").click();
  await page.getByTestId("settings-profile").getByRole("button").click();
  await page.locator(`[data-choice="${profile}"]`).click();

  const efforts = new Map<string, Effort>();
  for (const request of dayOf(place, origin)) {
    const effort = efforts.get(request.tool) ?? { requests: 0, decisions: 0, presses: 0 };
    efforts.set(request.tool, effort);
    effort.requests += 1;
    await answered(page, agents.get(request.agent) as ChildProcess, request, effort);
  }
  return efforts;
}

async function openPage(ui: string) {
  const watched = await WatchedPage.open(ui);
  return { page: watched.page, close: () => watched.close() };
}

async function accept(page: Page, agent: ChildProcess): Promise<void> {
  const ready = new Promise<void>((resolve) =>
    agent.on("message", (said) => said === "ready" && resolve()),
  );
  const boxes = page.getByTestId(/^pairing-scope-/);
  await boxes.first().waitFor();
  for (const box of await boxes.all()) await box.check();
  await page.getByTestId("pairing-accept").click();
  await ready;
}

/** Sends the request and answers its card, if there is one, so that it lasts as long as offered. */
async function answered(
  page: Page,
  agent: ChildProcess,
  { tool, args }: Request,
  effort: Effort,
): Promise<void> {
  const ended = once(agent, "message").then(([end]) => ({ end: String(end) }));
  agent.send({ tool, args });
  for (;;) {
    const card = page.getByTestId("consent-card");
    const asked = card.waitFor({ timeout: 60_000 }).then(
      () => null,
      () => null,
    );
    const over = await Promise.race([ended, asked]);
    if (over !== null) {
      if (over.end !== "done") throw new Error(`${tool}: ${over.end}`);
      return;
    }
    effort.decisions += 1;
    effort.presses += await allow(page, card);
    await Promise.race([card.waitFor({ state: "detached" }), ended]);
  }
}

/** Resolves to the number of keys. */
async function allow(page: Page, card: Locator): Promise<number> {
  const lasting = card.locator('[data-answer="allow_in_conversation"]');
  const lasts = (await lasting.count()) > 0;
  const button = lasts ? lasting : card.locator('[data-answer="allow_once"]');
  const open = button.and(page.locator('[aria-disabled="false"], :not([aria-disabled])'));
  await pause(STILL_MS);
  const toRead = (await open.count()) > 0 ? 0 : await readToEnd(page, card);
  await open.waitFor();
  await pause(STILL_MS);
  await page.keyboard.press(lasts ? "3" : "2");
  if ((await button.and(page.locator(":focus")).count()) === 0) return toRead + 1;
  await page.keyboard.press("Enter");
  return toRead + 2;
}

/** A high request cannot be allowed before its end was in sight. Resolves to the number of keys. */
async function readToEnd(page: Page, card: Locator): Promise<number> {
  const focused = card.getByTestId("consent-body").and(page.locator(":focus"));
  let keys = 0;
  while (keys < MOST_STOPS && (await focused.count()) === 0) {
    await page.keyboard.press("Tab");
    keys += 1;
  }
  await page.keyboard.press("End");
  return keys + 1;
}

function linesOf(profile: Profile, efforts: ReadonlyMap<string, Effort>): readonly string[] {
  const sum: Effort = { requests: 0, decisions: 0, presses: 0 };
  for (const { requests, decisions, presses } of efforts.values()) {
    sum.requests += requests;
    sum.decisions += decisions;
    sum.presses += presses;
  }
  const line = ([name, { requests, decisions, presses }]: readonly [string, Effort]) =>
    `  ${name.padEnd(18)} ${String(requests).padStart(3)} requests ${String(decisions).padStart(3)} decisions ${String(presses).padStart(3)} key presses`;
  return [[`Profile ${profile}`, ...[...efforts, ["all", sum] as const].map(line)].join("\n")];
}
