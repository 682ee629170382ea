import { LIMITS } from "../../../app/contract/limits.ts";
import type { HubAgent } from "../../../app/grants/grant.ts";
import type { ConversationStore } from "../../storage/index.ts";
import type { HubAgentReader } from "../agents/known-agents.ts";

export interface FullHistoriesPorts {
  readonly store: Pick<ConversationStore, "keptBytes">;
  readonly agents: Pick<HubAgentReader, "list">;
  /** Tells the hub to refuse messages that would be stored, or to accept them again. */
  readonly tell: (agentId: string, isFull: boolean) => void;
  /** The agents whose histories are full now, which may be none. */
  readonly notify: (full: readonly HubAgent[]) => void;
}

/**
 * The agents whose stored messages have reached the limit (contract §8). What the hub had accepted
 * before it was told is still stored: the hub's own limit applies to that.
 */
export class FullHistories {
  readonly #ports: FullHistoriesPorts;
  #full: ReadonlySet<string> = new Set();

  constructor(ports: FullHistoriesPorts) {
    this.#ports = ports;
  }

  /** A message of this agent was stored. */
  grew(agentId: string): void {
    if (!this.#full.has(agentId) && this.#isFull(agentId)) this.#look();
  }

  /** A history was deleted, or an agent removed. */
  shrank(): void {
    if (this.#full.size > 0) this.#look();
  }

  /** After a connect the hub knows of none. */
  connected(): void {
    for (const agentId of this.#full) this.#ports.tell(agentId, true);
    this.#look();
  }

  #look(): void {
    const { agents, tell, notify } = this.#ports;
    const before = this.#full;
    const full = agents.list().filter(({ agent_id }) => this.#isFull(agent_id));
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
