import { NO_CALLS } from "../../../app/bridge/count-all.ts";
import type { ActivitySummary } from "../../../app/bridge/views.ts";
import { ENDINGS, type Ending } from "../../../app/contract/tool-call.ts";
import { DAY_MS } from "./activity-lines.ts";

/** The number of an agent's lines that ended in one way on one day. */
export interface Tally {
  readonly agent_id: string;
  /** A running call is counted in the total only. */
  readonly ending: string;
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly lines: number;
}

type Counts = Record<Ending, number>;

/** Adds up a summary: a few numbers in no order, however many lines there are. */
export class Tallies {
  #total = 0;
  readonly #days = new Map<number, Counts>();
  readonly #agents = new Map<string, Counts>();

  /** One without lines, as an hour keeps whose calls are counted otherwise now, adds no day and no agent. */
  add({ agent_id, ending, day, lines }: Tally): void {
    if (lines === 0) return;
    this.#total += lines;
    const known = ENDINGS.find((word) => word === ending);
    if (known === undefined) return;
    countsOf(this.#days, day)[known] += lines;
    countsOf(this.#agents, agent_id)[known] += lines;
  }

  summary(nameOf: (agentId: string) => string): ActivitySummary {
    return {
      total: this.#total,
      days: [...this.#days].map(([day, counts]) => ({ day: day * DAY_MS, ...counts })),
      agents: [...this.#agents].map(([agent_id, counts]) => ({
        agent_id,
        agent_name: nameOf(agent_id),
        ...counts,
      })),
    };
  }
}

function countsOf<K>(counted: Map<K, Counts>, key: K): Counts {
  const known = counted.get(key);
  if (known !== undefined) return known;
  const counts: Counts = { ...NO_CALLS };
  counted.set(key, counts);
  return counts;
}
