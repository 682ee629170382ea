import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startBuiltClient } from "../subjects/built-client.ts";
import type { Ends, PromptAgent } from "../subjects/prompt-agent.ts";
import { WatchedPage } from "../subjects/watched-page.ts";
import { rowOf } from "./audit-pages.ts";
import { addedAgent, besideFloods, FLOODING_AGENTS, oneRequest } from "./beside-floods.ts";
import { silentBesideFloods } from "./silent-beside-floods.ts";
import type { SuiteParts, SuiteResult } from "./suite.ts";

const WAITING_AT_MOST = 3;
/**
 * Milliseconds between two keys: the page is checked throughout the flood without slowing it down.
 */
const KEY_EVERY_MS = 50;

/** From a call to the card on the screen, and how the page responds while 10,000 calls arrive. */
export async function promptSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, folder, ending, say } = parts;
  const client = await startBuiltClient(join(folder, "client"), []);
  ending.defer(() => client.close());
  const watched = await WatchedPage.open(client.ui);
  ending.defer(() => watched.close());
  const agent = await addedAgent(client, watched, join(folder, "agent"));
  ending.defer(() => agent.close());

  say("One card after the other.");
  await oneCard(agent, watched);
  const cards: number[] = [];
  for (let call = 0; call < flags.calls; call += 1) cards.push(await oneCard(agent, watched));

  say("A key, with one card.");
  agent.order("ask");
  await watched.cards(1);
  const quiet: number[] = [];
  for (let key = 0; key < flags.calls; key += 1) quiet.push(await watched.keyAnswered());
  agent.order("give_up");
  await watched.cards(0);

  say(`A flood of ${flags.flood} calls.`);
  const flood = await underFlood(agent, watched, flags.flood);
  const beside = await besideFloods(parts);
  const silent = await silentBesideFloods(parts);
  return {
    about: `${flags.calls} cards and keys, one after the other; a key every ${KEY_EVERY_MS} ms while ${flags.flood} calls arrive; ${beside.length} requests and ${silent.beside.length} silent calls beside ${FLOODING_AGENTS} flooding agents`,
    rows: [
      rowOf("call to painted card", cards),
      rowOf(`call to painted request, ${FLOODING_AGENTS} others flood`, beside),
      rowOf("key to painted answer, one card", quiet),
      rowOf("key to painted answer, flood", flood.keys),
      rowOf("silent call, alone", silent.alone),
      rowOf(`silent call, ${FLOODING_AGENTS} others flood`, silent.beside),
    ],
    comparisons: [],
    notes: [
      `The flood took ${(flood.elapsed_ms / 1_000).toFixed(1)} s. Most cards at once: ${watched.most} (${WAITING_AT_MOST} allowed). Ends: ${endsText(flood.ends)}.`,
    ],
  };
}

async function oneCard(agent: PromptAgent, watched: WatchedPage): Promise<number> {
  const took = await oneRequest(agent, watched, 0);
  // An answered card's slot stays empty for a moment, and only then does the next one appear.
  await watched.placesClosed();
  return took;
}

/** @throws Error if a call was allowed, or more cards were painted than may wait */
async function underFlood(agent: PromptAgent, watched: WatchedPage, calls: number) {
  let isOver = false;
  const began = performance.now();
  const flooded = agent.heard("flooded").then(() => {
    isOver = true;
  });
  agent.flood(calls);
  const keys: number[] = [];
  while (!isOver) {
    keys.push(await watched.keyAnswered());
    await pause(KEY_EVERY_MS);
  }
  await flooded;
  const elapsed_ms = performance.now() - began;
  const ended = agent.heard("ended");
  agent.order("give_up");
  const ends = await ended;
  if (ends.allowed !== undefined || watched.most > WAITING_AT_MOST) {
    throw new Error(`${watched.most} cards; ${endsText(ends)}`);
  }
  return { keys, ends, elapsed_ms };
}

const endsText = (ends: Ends): string =>
  Object.entries(ends)
    .map(([end, count]) => `${end} ${count}`)
    .join(", ");
