import { join } from "node:path";
import { type BuiltClient, startBuiltClient } from "../subjects/built-client.ts";
import { PromptAgent } from "../subjects/prompt-agent.ts";
import { WatchedPage } from "../subjects/watched-page.ts";
import type { SuiteParts } from "./suite.ts";

export const FLOODING_AGENTS = 3;
/** Of one agent (contract §3). */
const WAITING_AT_MOST = 3;
/** An agent may make 60 calls a minute (contract §8). */
const REQUESTS = 50;
const FOR_MS = 10_000;

/**
 * One agent's requests, in the program as it is shipped, with its limits, while others make as many
 * calls as they can and each has as many requests waiting as it may.
 */
export async function besideFloods({ flags, folder, say }: SuiteParts) {
  say(`A request while ${FLOODING_AGENTS} other agents flood.`);
  await using ending = new AsyncDisposableStack();
  const client = await startBuiltClient(join(folder, "limited"), [], "limited");
  ending.defer(() => client.close());
  const watched = await WatchedPage.open(client.ui);
  ending.defer(() => watched.close());
  const agents: PromptAgent[] = [];
  for (let at = 0; at <= FLOODING_AGENTS; at += 1) {
    const agent = await addedAgent(client, watched, join(folder, `beside-${at}`));
    ending.defer(() => agent.close());
    agents.push(agent);
  }
  const [asking, ...others] = agents;
  if (asking === undefined) throw new Error("no agent was added");
  const waiting = others.length * WAITING_AT_MOST;
  for (const other of others) other.flood(Number.MAX_SAFE_INTEGER);
  await watched.cards(waiting);
  const times: number[] = [];
  const end = performance.now() + FOR_MS;
  while (times.length < Math.min(flags.calls, REQUESTS) && performance.now() < end) {
    times.push(await oneRequest(asking, watched, waiting));
  }
  return times;
}

/** In a process of its own, accepted on the page. */
export async function addedAgent(
  { hub }: BuiltClient,
  { page }: WatchedPage,
  home: string,
): Promise<PromptAgent> {
  const agent = new PromptAgent(hub, home);
  const ready = agent.heard("ready");
  await page.getByTestId("pairing-scope-clipboard:write").check();
  await page.getByTestId("pairing-accept").click();
  await page.getByTestId("pairing-card").waitFor({ state: "detached" });
  await ready;
  return agent;
}

/**
 * Milliseconds from the order to call until the request is painted.
 * @param others how many requests wait already
 */
export async function oneRequest(
  agent: PromptAgent,
  watched: WatchedPage,
  others: number,
): Promise<number> {
  const painted = watched.cards(others + 1);
  const began = performance.now();
  agent.order("ask");
  await painted;
  const took = performance.now() - began;
  agent.order("give_up");
  await watched.cards(others);
  return took;
}
