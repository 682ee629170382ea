import type { Standing } from "../../channels/channel.ts";

/**
 * Agents' status at the hub, as last reported. Not stored: the hub repeats it at each connect, before
 * which no agent is served, and sends a frame for each later change.
 */
export class Standings {
  readonly #standings = new Map<string, Standing>();

  of(agentId: string): Standing {
    return this.#standings.get(agentId) ?? { relation: "active", delivery: "websocket" };
  }

  set(agentId: string, part: Partial<Standing>): void {
    this.#standings.set(agentId, { ...this.of(agentId), ...part });
  }

  forget(agentId: string): void {
    this.#standings.delete(agentId);
  }
}
