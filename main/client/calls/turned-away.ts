import { TURNED_AWAY_KEPT, type TurnedAwayView } from "../../../app/bridge/consent-views.ts";
import type { ToolResponse } from "../../../app/contract/tool-call.ts";
import type { CallObserver } from "../../../app/execution/live-calls.ts";
import type { ReadableArrival } from "../../../app/execution/ports.ts";

/**
 * Requests that nobody saw, because too many waited already (contract §3): how many of which agent,
 * until the person has seen that. Agents beyond the first are counted together.
 */
export class TurnedAway implements CallObserver {
  readonly #changed: () => void;
  readonly #counts = new Map<string, number>();
  #others = 0;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  closed({ agent_id }: ReadableArrival, response: ToolResponse): void {
    if (response.status !== "error" || response.reason !== "consent_queue_full") return;
    const count = this.#counts.get(agent_id);
    if (count === undefined && this.#counts.size >= TURNED_AWAY_KEPT) this.#others += 1;
    else this.#counts.set(agent_id, (count ?? 0) + 1);
    this.#changed();
  }

  /** @param nameOf null: the agent was removed */
  view(nameOf: (agentId: string) => string | null): TurnedAwayView {
    const agents = [...this.#counts].flatMap(([agent_id, count]) => {
      const name = nameOf(agent_id);
      return name === null ? [] : [{ agent_id, name, count }];
    });
    return { agents, others: this.#others };
  }

  seen(): void {
    this.#counts.clear();
    this.#others = 0;
    this.#changed();
  }
}
