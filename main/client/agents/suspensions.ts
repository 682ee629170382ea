import type { AgentSource } from "../../../app/execution/ports.ts";
import type { AgentStatus } from "../../channels/channel.ts";
import type { KeptValues } from "../../storage/settings-store.ts";

const keyOf = (agentId: string): string => `suspended ${agentId}`;

/**
 * The agents that the person has suspended here (contract §3), also across restarts. It takes effect at
 * once and is then stored; ending it takes effect once that is stored.
 */
export class Suspensions {
  readonly #kept: KeptValues;
  /** Suspended in this run, stored or not. */
  readonly #held = new Set<string>();

  constructor(kept: KeptValues) {
    this.#kept = kept;
  }

  has(agentId: string): boolean {
    return this.#held.has(agentId) || this.#kept.value(keyOf(agentId)) !== undefined;
  }

  /** Resolves once durable. @throws StoreError */
  async set(agentId: string, suspended: boolean): Promise<void> {
    if (suspended) {
      this.#held.add(agentId);
      await this.#kept.putValue(keyOf(agentId), "yes");
      return;
    }
    this.#held.delete(agentId);
    await this.#kept.removeValue(keyOf(agentId));
  }

  /** What the agent's channel says of it, unless the person has suspended it. */
  statusOf(agentId: string, { relation, delivery }: AgentStatus): AgentStatus {
    const isHeld = relation === "active" && this.has(agentId);
    return { relation: isHeld ? "suspended" : relation, delivery };
  }

  /** The same agents; while one is suspended its grants do not count. */
  over(agents: AgentSource): AgentSource {
    return {
      ready: (agentId) => agents.ready(agentId),
      isGone: (agentId) => agents.isGone(agentId),
      agent: (agentId) => {
        const known = agents.agent(agentId);
        const isHeld = known?.withheld === null && this.has(agentId);
        return isHeld ? { ...known, withheld: "suspended" } : known;
      },
    };
  }
}
