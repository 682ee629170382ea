import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startOwnNats } from "../../tests/servers/own-nats.ts";
import { OwnPostgres } from "../../tests/servers/own-postgres.ts";
import { connectionLimit } from "../descriptor-limit.ts";
import { interleave, type Measured } from "../interleave.ts";
import type { CrowdPlan } from "../processes/fleet-plan.ts";
import { compare, reportOf } from "../report.ts";
import { median, quantile } from "../statistics.ts";
import {
  ACTIVE_AGENTS,
  createDatabase,
  type Fleet,
  type HubNode,
  seedAgents,
  startFleet,
} from "../subjects/fleet.ts";
import { startTold, type ToldProcess } from "../subjects/told-process.ts";
import type { SuiteParts, SuiteResult } from "./suite.ts";

const EMBEDDED = "embedded hub";
const ONE = "1 node";
const UNSYNCED = "1 node, its PostgreSQL does not sync";
const CROWD = 10_000;
const CROWDED = `1 node, ${CROWD} agents connected`;
/** Clients of a node that is drained. */
const DRAINED = 5_000;
const SETTLE_MS = 20_000;
const ROUND_OF_DRAIN = { calls: 20, inFlight: 1 };

/** The embedded hub, and nodes on PostgreSQL: their messages, their idle sockets, and a node that ends. */
export async function fleetSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, folder, ending, say } = parts;
  const postgres = await ownPostgres(ending);
  const quick = await ownPostgres(ending, "fsync=off");
  const nats = await startOwnNats(null);
  ending.defer(() => nats?.kill());
  const start = async (name: string, database: string, nodes: number, used = nodes) => {
    say(`Preparing: ${name}.`);
    const natsUrl = database.startsWith("postgres:") ? (nats?.url ?? "") : "";
    const fleet = await startFleet({ name, database, nodes, used, nats: natsUrl, folder });
    ending.defer(() => fleet.subject.close());
    return fleet;
  };
  const fleets = [
    await start(EMBEDDED, join(folder, "hub.db"), 1),
    await start(ONE, await createDatabase(postgres, "one"), 1),
    await start("2 nodes", await createDatabase(postgres, "two"), 2),
    await start("3 nodes", await createDatabase(postgres, "three"), 3),
    await start(UNSYNCED, await createDatabase(quick, "one"), 1),
  ];
  const crowd = await crowded(parts, await createDatabase(postgres, "crowd"), start);
  const all = [...fleets, ...(crowd === undefined ? [] : [crowd.fleet])];
  const measured = await interleave(
    all.map(({ subject }) => subject),
    flags,
    say,
  );
  return {
    about: `${flags.rounds} rounds of ${flags.calls} messages from ${ACTIVE_AGENTS} agents to 8 people, after a warm-up`,
    rows: reportOf(measured, null),
    comparisons: compare(measured, [
      [ONE, EMBEDDED],
      [UNSYNCED, EMBEDDED],
      ["2 nodes", ONE],
      ["3 nodes", ONE],
      ...(crowd === undefined ? [] : [[CROWDED, ONE] as const]),
    ]),
    notes: [
      nats === undefined ? "Without nats-server, the nodes woke each other over NOTIFY." : "",
      ...(crowd === undefined
        ? [`descriptor_limit: left out ${CROWD} agents; this machine holds ${connectionLimit()}`]
        : [crowdNote(measured), crowd.memory, await drainNote(crowd, say).catch(leftOut)]),
    ].filter((note) => note !== ""),
  };
}

async function ownPostgres(
  ending: AsyncDisposableStack,
  ...settings: readonly string[]
): Promise<string> {
  const own = await OwnPostgres.start(...settings);
  if (own === undefined) throw new Error("there are no programs of PostgreSQL for this system");
  ending.defer(() => own.end());
  return own.url;
}

interface Crowd {
  readonly fleet: Fleet;
  readonly memory: string;
  readonly clients: ToldProcess<string>;
}

/** Everybody is at the first node; the second waits for the drain. */
async function crowded(
  { folder, ending, say }: SuiteParts,
  database: string,
  start: (name: string, database: string, nodes: number, used: number) => Promise<Fleet>,
): Promise<Crowd | undefined> {
  if (CROWD >= connectionLimit()) return undefined;
  const fleet = await start(CROWDED, database, 2, 1);
  const [node] = fleet.nodes;
  if (node === undefined) throw new RangeError("no node");
  const agents = await seedAgents(database, CROWD);
  const plan: CrowdPlan = { url: node.first, agents };
  const file = join(folder, "crowd.json");
  writeFileSync(file, JSON.stringify(plan), { mode: 0o600 });
  const before = await node.tell<number>({ ask: "memory" });
  const began = performance.now();
  const clients = await startTold<string>("fleet-crowd.ts", [file]);
  ending.defer(() => clients.close());
  const seconds = (performance.now() - began) / 1_000;
  const each = ((await node.tell<number>({ ask: "memory" })) - before) / CROWD / 1_024;
  const perSecond = Math.round(CROWD / seconds);
  const memory = `Memory for each of ${CROWD} idle connections: ${each.toFixed(1)} KiB. They came at ${perSecond} a second.`;
  say(memory);
  return { fleet, memory, clients };
}

function crowdNote(measured: readonly Measured[]): string {
  const elapsed = (name: string) =>
    measured.find(({ subject, mode }) => subject.name === name && mode === 32)?.turns ?? [];
  const plain = elapsed(ONE);
  const ratios = elapsed(CROWDED).map(
    ({ elapsed_ms }, round) => elapsed_ms / (plain[round]?.elapsed_ms ?? Number.NaN),
  );
  return `With 32 in flight, a message takes ${median(ratios).toFixed(2)} times as long with ${CROWD} agents as with ${ACTIVE_AGENTS}.`;
}

const leftOut = (error: Error): string => `Left out a node that is drained: ${error.message}`;

/** A node sends its clients away while people and agents at the other write to each other. */
async function drainNote({ fleet, clients }: Crowd, say: (line: string) => void): Promise<string> {
  const [first, second] = fleet.nodes as readonly [HubNode, HubNode];
  say(`Draining a node with ${DRAINED} clients.`);
  const load = await fleet.moved(second.first);
  await clients.tell({ next: second.first, count: DRAINED });
  // What the others left behind is tidied up.
  await wait(SETTLE_MS);
  const back = clients.next<readonly number[]>();
  let isBack = false;
  void back.then(() => {
    isBack = true;
  });
  const messages: number[] = [];
  const began = performance.now();
  const drained = first.tell({ ask: "drain" });
  while (!isBack) messages.push(...(await load.turn(ROUND_OF_DRAIN)).samples_ms);
  await drained;
  const seconds = Math.round((performance.now() - began) / 1_000);
  await load.close();
  const came = await back;
  const ms = (values: readonly number[], share: number) => Math.round(quantile(values, share));
  return `A node with ${DRAINED} clients was drained in ${seconds} s: they were let in elsewhere within ${ms(came, 0.5)} ms (p50) and ${ms(came, 0.99)} ms (p99); messages at the other node took ${ms(messages, 0.99)} ms (p99) meanwhile.`;
}
