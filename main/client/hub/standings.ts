import type { Standing } from "../../channels/channel.ts";

/**
 * How agents stand with the hub, as it last said. Not stored: the hub repeats it at each connect, and
 * nothing is served before; what changes later comes in a frame of its own.
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
