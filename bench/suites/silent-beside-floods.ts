import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { startBuiltClient } from "../subjects/built-client.ts";
import { allowedAgent } from "../subjects/consentry.ts";
import { textFileIn } from "../subjects/file-to-read.ts";
import { PersonPage } from "../subjects/person-page.ts";
import type { Subject } from "../subjects/subject.ts";
import { FLOODING_AGENTS } from "./beside-floods.ts";
import type { SuiteParts } from "./suite.ts";

const FILE_BYTES = 4_096;
/** Calls of each, at most, and how many of them at once. */
const FLOOD = 1_500;
const IN_FLIGHT = 500;
const WARM_UP = 100;
const ONE = { calls: 1, inFlight: 1 };

/**
 * One agent's silent calls, one at a time, alone and while others have 500 in flight each. The hub's
 * limit is off, because with it there would soon be no calls to wait for.
 */
export async function silentBesideFloods({ flags, folder, say }: SuiteParts) {
  say(`A silent call while ${FLOODING_AGENTS} other agents flood.`);
  await using ending = new AsyncDisposableStack();
  const file = textFileIn(mkdtempSync(join(folder, "silent-")), FILE_BYTES);
  const client = await startBuiltClient(join(folder, "silent"), []);
  ending.defer(() => client.close());
  const page = await PersonPage.open(client.ui);
  ending.defer(() => page.close());
  const agents: Subject[] = [];
  for (let at = 0; at <= FLOODING_AGENTS; at += 1) {
    const about = { name: `silent ${at}`, modes: [1], file } as const;
    const agent = await allowedAgent(client, page, { ...about, dataDir: join(folder, `a${at}`) });
    ending.defer(() => agent.close());
    agents.push(agent);
  }
  const [quiet, ...floods] = agents;
  if (quiet === undefined) throw new Error("no agent was added");
  for (const each of agents) await each.turn({ calls: WARM_UP, inFlight: 1 });
  const { samples_ms: alone } = await quiet.turn({ calls: flags.calls, inFlight: 1 });
  let isOver = false;
  const flood = { calls: Math.min(flags.flood, FLOOD), inFlight: IN_FLIGHT };
  const flooded = Promise.all(floods.map((each) => each.turn(flood))).finally(() => {
    isOver = true;
  });
  const beside: number[] = [];
  while (!isOver) beside.push(...(await quiet.turn(ONE)).samples_ms);
  await flooded;
  return { alone, beside };
}
