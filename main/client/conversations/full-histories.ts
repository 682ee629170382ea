import { LIMITS } from "../../../app/contract/limits.ts";
import type { HubAgent } from "../../../app/grants/grant.ts";
import type { ConversationStore } from "../../storage/index.ts";

export interface FullHistoriesPorts {
  readonly store: Pick<ConversationStore, "keptBytes">;
  agents(): readonly HubAgent[];
  /** The hub refuses what would be kept, or takes it again. */
  readonly tell: (agentId: string, isFull: boolean) => void;
  /** These agents' histories are full now; empty: none is. */
  readonly notify: (full: readonly HubAgent[]) => void;
}

/**
 * Of which agents as much is kept as an agent may have (contract §8). What the hub had taken before
 * it heard of it is still kept: the hub's own bound holds for that.
 */
export class FullHistories {
  readonly #ports: FullHistoriesPorts;
  #full: ReadonlySet<string> = new Set();

  constructor(ports: FullHistoriesPorts) {
    this.#ports = ports;
  }

  /** A message of this agent was kept. */
  grew(agentId: string): void {
    if (!this.#full.has(agentId) && this.#isFull(agentId)) this.#look();
  }

  /** A history was deleted, or an agent has gone. */
  shrank(): void {
    if (this.#full.size > 0) this.#look();
  }

  /** A hub that has just been reached knows of none. */
  connected(): void {
    for (const agentId of this.#full) this.#ports.tell(agentId, true);
    this.#look();
  }

  #look(): void {
    const { agents, tell, notify } = this.#ports;
    const before = this.#full;
    const full = agents().filter(({ agent_id }) => this.#isFull(agent_id));
    this.#full = new Set(full.map(({ agent_id }) => agent_id));
    const filled = [...this.#full].filter((agentId) => !before.has(agentId));
    const freed = [...before].filter((agentId) => !this.#full.has(agentId));
    for (const agentId of filled) tell(agentId, true);
    for (const agentId of freed) tell(agentId, false);
    if (filled.length + freed.length > 0) notify(full);
  }

  #isFull(agentId: string): boolean {
    return this.#ports.store.keptBytes(agentId) >= LIMITS.keptBytes;
  }
}
