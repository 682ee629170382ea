import { connectionLimit } from "../descriptor-limit.ts";
import { interleave } from "../interleave.ts";
import { reportOf } from "../report.ts";
import { type Relay, startRelay } from "../subjects/relay.ts";
import type { SuiteParts, SuiteResult } from "./suite.ts";

const SIZES = [1, 100, 1_000] as const;
const MODES = [1, 32] as const;

interface Pair {
  readonly agents: number;
  readonly hub: Relay;
  readonly bare: Relay;
}

/** The hub with more and more connected agents, compared with a relay that only relays. */
export async function relaySuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, say } = parts;
  const most = connectionLimit();
  const fitting = SIZES.filter((size) => size < most);
  const left = SIZES.filter((size) => size >= most);
  const pairs: Pair[] = [];
  for (const agents of fitting) pairs.push(await startPair(parts, agents));
  const all = pairs.flatMap(({ hub, bare }) => [hub.subject, bare.subject]);
  const measured = await interleave(all, flags, say);
  return {
    about: `${flags.rounds} rounds of ${flags.calls} messages from agents to the person, after a warm-up`,
    rows: pairs.flatMap(({ hub, bare }) => {
      const pair = { ours: hub.subject.name, peer: bare.subject.name };
      const names = Object.values(pair);
      return reportOf(
        measured.filter(({ subject }) => names.includes(subject.name)),
        pair,
      );
    }),
    comparisons: [],
    notes: [
      ...pairs.filter(({ agents }) => agents > 1).map(memoryNote),
      ...left.map(
        (size) => `descriptor_limit: left out ${size} agents; this machine holds ${most}`,
      ),
    ],
  };
}

async function startPair(parts: SuiteParts, agents: number): Promise<Pair> {
  const { folder, ending, say } = parts;
  say(`Connecting ${agents}.`);
  const start = async (name: string, entry: "relay-hub.ts" | "relay-bare.ts") => {
    const who = `${name}, ${agents} ${agents === 1 ? "agent" : "agents"}`;
    const relay = await startRelay({ name: who, modes: MODES, entry, agents, folder });
    ending.defer(() => relay.subject.close());
    return relay;
  };
  return {
    agents,
    hub: await start("hub", "relay-hub.ts"),
    bare: await start("bare ws relay", "relay-bare.ts"),
  };
}

const kib = (bytes: number): string => `${(bytes / 1_024).toFixed(1)} KiB`;

const memoryNote = ({ agents, hub, bare }: Pair): string =>
  `Memory for each of ${agents} idle connections: hub ${kib(hub.bytesEach)}, bare ${kib(bare.bytesEach)}.`;
